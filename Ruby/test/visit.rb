# frozen_string_literal: true

# Administrators at the page of conflicts, in the application of test_rails.rb.
require_relative "config/environment"
require "action_dispatch/testing/integration"

class Visit < ActionDispatch::Integration::Session
  def look(path = "/conflicts")
    get path
    Nokogiri::HTML(response.body)
  end

  # Presses a button of the row with this key.
  def press(key, button, page = look)
    form = page.css("form").find { |each| each.at("h2").text == "templates #{key}" }
    fields = form.css("input").to_h { |input| [input["name"], input["value"]] }
    chosen = form.css("button").find { |each| each.text == button }
    post form["action"], params: fields.merge(chosen["name"] => chosen["value"])
    return response.status unless response.redirect?
    follow_redirect!
    Nokogiri::HTML(response.body).at("[role=status]").text
  end
end

def expect(what, found, wanted)
  abort "#{what}: #{found.inspect}, and not #{wanted.inspect}" unless wanted === found
end

visit = Visit.new(Rails.application)
visit.host! "localhost"
visit.look
expect "no one may look", visit.response.status, 403
SeedbedConflictsController.define_method(:may_settle?) { true }
old = visit.look
expect "rows", old.css("h2").map(&:text), ["templates a", "templates b", "templates c"]
expect "a row", old.css("table")[0].css("tr")[1].text.split, %w[subject Hello <b>Moin</b> Hi]
expect "one that they deleted", old.css("form")[2].css("em").first.text, "no row"
expect "its buttons", old.css("form")[2].css("button").size, 2
expect "theirs", visit.press("a", "Take theirs"), "Done."
expect "an old page", visit.press("a", "Keep mine", old), /other conflicts now/
expect "for good", visit.press("b", "Leave to me for good"), "Done."
visit.post "/conflicts", params: {ids: "3", to: "theirs"}
expect "a form from elsewhere", visit.response.status, 422
expect "theirs again", visit.press("c", "Take theirs"), "Done."
expect "the end", visit.look.text, /There are none/
expect "nothing is absent", visit.look("/conflicts/absent").text, /Nothing is absent/
ActiveRecord::Base.connection.execute("DELETE FROM templates WHERE name = 'c'")
old = visit.look("/conflicts/absent")
expect "absent rows", old.css("h2").map(&:text), ["templates c"]
expect "as the catalog has it", old.css("tr").map(&:text), %w[namec subjectBack bodyText]
expect "a row that came back", visit.press("c", "Bring it back", old), "Done."
expect "an old page of them", visit.press("c", "Bring it back", old), /not absent now/
