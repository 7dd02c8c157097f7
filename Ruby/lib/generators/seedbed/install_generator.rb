# frozen_string_literal: true

module Seedbed
  # rails generate seedbed:install [--conflicts]
  class InstallGenerator < Rails::Generators::Base
    source_root File.expand_path("templates", __dir__)
    desc "Writes config/initializers/seedbed.rb, and with --conflicts a page of conflicts to keep."
    class_option :conflicts, type: :boolean, default: false,
                             desc: "a controller, its two pages and its routes"

    def copy_initializer
      copy_file "initializer.rb", "config/initializers/seedbed.rb"
    end

    def copy_page
      return unless options[:conflicts]
      name = "seedbed_conflicts"
      copy_file "controller.rb", "app/controllers/#{name}_controller.rb"
      %w[index.html.erb absent.html.erb].each { |each| copy_file each, "app/views/#{name}/#{each}" }
      route "get \"conflicts\", to: \"#{name}#index\", as: :#{name}\n" \
            "post \"conflicts\", to: \"#{name}#settle\"\n" \
            "get \"conflicts/absent\", to: \"#{name}#absent\", as: :seedbed_absent\n" \
            "post \"conflicts/absent\", to: \"#{name}#bring_back\""
      say "Say in app/controllers/#{name}_controller.rb who may settle conflicts: no one may yet."
    end
  end
end
