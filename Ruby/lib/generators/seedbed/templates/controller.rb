# Conflicts between a release and what people changed, row by row, and rows that are not there.
class SeedbedConflictsController < ApplicationController
  SIDES = {"mine" => :mine, "theirs" => :seed, "pin" => :mine}.freeze
  before_action :refuse_others

  def index
    @rows = open_rows
  end

  def settle
    ids, to = params.require(:ids), params.require(:to)
    # The page may be older than the database.
    row = open_rows[ids] or return back(alert: "This row has other conflicts now: look again.")
    answer = Seedbed.on_rails(:resolve, ids.split, SIDES.fetch(to))
    pin(row.last) if to == "pin" && answer["settled"].any?
    Rails.cache.clear if answer["touchedTables"].any?
    reasons = answer["refused"].map { |each| each["reason"] }
    back(reasons.empty? ? {notice: "Done."} : {alert: reasons.join(" ")})
  rescue Seedbed::Error => error
    back(alert: error.message)
  end

  def absent
    @rows = absent_rows
  end

  def bring_back
    # The row may be there again, and changed since.
    row = absent_rows[params.require(:row)]
    return back_to_absent(alert: "This row is not absent now: look again.") unless row
    backup = Seedbed.settings.up.slice(:no_backup)
    Seedbed.on_rails(:reseed, row["table"], row["key"], **backup)
    Rails.cache.clear
    back_to_absent(notice: "Done.")
  rescue Seedbed::Error => error
    back_to_absent(alert: error.message)
  end

  private

  # Those who may edit the rows anyway.
  def may_settle?
    false # such as: current_user&.admin?
  end

  def refuse_others
    render plain: "You may not settle conflicts.", status: :forbidden unless may_settle?
  end

  # By the ids of their conflicts, the rows that have any which is not settled.
  def open_rows
    open = Seedbed.on_rails(:conflicts, open: true)["conflicts"]
    rows = open.group_by { |each| each.values_at("table", "key") }.values
    rows.index_by { |row| row.map { |each| each["id"] }.join(" ") }
  end

  # By table and key, what is not there.
  def absent_rows
    rows = Seedbed.on_rails(:absent)["absent"]
    rows.index_by { |row| row.values_at("table", "key").to_json }
  end

  def pin(conflict)
    Seedbed.on_rails(:pin, conflict["table"], conflict["key"])
  end

  def back(flash)
    redirect_to seedbed_conflicts_path, flash: flash
  end

  def back_to_absent(flash)
    redirect_to seedbed_absent_path, flash: flash
  end
end
