# What goes on after r.R: R's collector at every 20th allocation, an overflow, and an interrupt.
source(Sys.getenv("SEEDBED_HOST"))
gctorture2(20)
status <- "SELECT length(seedbed_status(?)) AS length"
again <- DBI::dbGetQuery(app, status, params = list(words[3]))$length
gctorture2(0)
for (i in 1:20) gc(full = TRUE)
deep <- function(n) deep(n + 1)
caught <- tryCatch(deep(0), error = function(e) "deep", interrupt = function(e) "interrupt")
interrupted <- tryCatch({
  tools::pskill(Sys.getpid(), tools::SIGINT)
  Sys.sleep(10)
}, interrupt = function(e) "interrupt")
DBI::dbDisconnect(app)
if (again > 100 && caught == "deep" && interrupted == "interrupt") writeLines("well")
