class CreateTemplates < ActiveRecord::Migration[6.1]
  def change
    create_table :templates do |t|
      t.string :name, null: false, index: {unique: true}
      t.string :subject, null: false
      t.text :body, null: false
      t.timestamps default: -> { "CURRENT_TIMESTAMP" }
    end
  end
end
