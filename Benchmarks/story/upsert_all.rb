# `upsert_all` of Rails.
#
# Page: "ActiveRecord::Persistence::ClassMethods", Rails 6.1,
# https://api.rubyonrails.org/v6.1/classes/ActiveRecord/Persistence/ClassMethods.html, in one
# transaction, as a migration is where the database can. A thousand rows are one statement.
require "active_record"
require "csv"
require "uri"

verb, number, folder, database = ARGV
exit unless verb == "start"
url = URI(database)
ActiveRecord::Base.establish_connection(
  if url.scheme
    words = URI.decode_www_form(url.query).to_h
    { adapter: "postgresql", database: url.path.delete_prefix("/"), host: words["host"],
      username: words["user"] }
  else
    { adapter: "sqlite3", database: database }
  end)

class Word < ActiveRecord::Base
end

class Sense < ActiveRecord::Base
end

# The author's code.
Word.transaction do
  { "words" => Word, "senses" => Sense }.each do |table, model|
    rows = CSV.foreach("#{folder}/#{number}/#{table}.csv", headers: true)
    rows.each_slice(1000) { |some| model.upsert_all(some.map(&:to_h)) }
  end
end
# End.
