# frozen_string_literal: true

require "seedbed"

# Prints the document of a call: PATH CATALOG VERB OPTIONS OPERANDS, both in JSON. An error is one.
path, catalog, verb, options, operands = ARGV
options = JSON.parse(options).transform_keys { |name| name.tr("-", "_").to_sym }
begin
  puts JSON.generate(Seedbed.public_send(
    verb, path, *JSON.parse(operands).values, catalog: catalog, **options))
rescue Seedbed::Error => error
  puts JSON.generate(error.json)
end
