class AddFooterToTemplates < ActiveRecord::Migration[6.1]
  def change
    add_column :templates, :footer, :string
  end
end
