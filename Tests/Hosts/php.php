<?php // php -d sqlite3.extension_dir=FOLDER php.php DATABASE seedbed.so CATALOG OPTIONS
[, $database, $extension, $catalog, $options] = $argv;
$app = new SQLite3($database);
$app->enableExceptions(true);
$app->loadExtension($extension);
$catalog = SQLite3::escapeString($catalog);
$options = SQLite3::escapeString($options);
// querySingle() runs the call once. query() and execute() run it again to fetch its row.
echo $app->querySingle("SELECT seedbed_up('$catalog', '$options') ->> 'outcome'"), "\n";
while ($statement = fgets(STDIN)) { // The app goes on.
    $value = $app->querySingle($statement);
    if ($value !== null && $value !== false) echo $value, "\n";
}
