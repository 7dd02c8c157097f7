import java.sql.*;
import java.util.Properties;
class Database { /* Opens a database and brings it up to date. */
  static Connection open(String path, String extension, String catalog, String options)
      throws SQLException {
    var properties = new Properties();
    properties.put("enable_load_extension", "true");
    var app = DriverManager.getConnection("jdbc:sqlite:" + path, properties);
    app.prepareStatement("SELECT load_extension('" + extension + "')").executeQuery().close();
    var up = app.prepareStatement("SELECT seedbed_up(?, ?) ->> 'outcome'");
    up.setString(1, catalog);
    up.setString(2, options);
    try (var row = up.executeQuery()) { row.next(); System.out.println(row.getString(1)); }
    return app;
  } }
