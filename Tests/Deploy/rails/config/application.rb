require "active_record/railtie"
require "seedbed"

# As small as an application can be that has a database: DATABASE_URL, or the file of database.yml.
class Desk < Rails::Application
  config.load_defaults 6.1
  config.eager_load = false
  config.logger = Logger.new(nil)
  config.cache_store = :file_store, "tmp/cache"
  config.secret_key_base = "of a test"
end
