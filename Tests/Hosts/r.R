words <- commandArgs(trailingOnly = TRUE) # DATABASE EXTENSION CATALOG OPTIONS
app <- DBI::dbConnect(RSQLite::SQLite(), words[1], loadable.extensions = TRUE)
load <- DBI::dbGetQuery(app, "SELECT load_extension(?)", params = list(words[2]))
up <- "SELECT seedbed_up(?, ?) ->> 'outcome' AS outcome"
cat(DBI::dbGetQuery(app, up, params = list(words[3], words[4]))$outcome, "\n")
input <- file("stdin", "r")
while (length(statement <- readLines(input, 1)) > 0) { # The app goes on.
  answer <- suppressWarnings(DBI::dbGetQuery(app, statement))
  if (nrow(answer) > 0) writeLines(as.character(answer[[1]]))
}
