<?php

declare(strict_types=1);

// package.php SOURCES: plays calls by the package for Composer, a line of JSON each.
foreach (['Error', 'Program', 'Extension', 'Database'] as $name) {
    require "$argv[1]/$name.php";
}
while ($line = fgets(STDIN)) {
    [$verb, $path, $catalog, $operands] = json_decode($line, true);
    $database = new Seedbed\Database($path, $catalog);
    $options = in_array($verb, ['up', 'down', 'reseed'], true) ? ['noBackup' => true] : [];
    try {
        // The method brings back single rows, and the verb a whole table.
        $document = method_exists($database, $verb) && $verb !== 'reseed'
            ? $database->$verb(...$operands, ...$options)
            : $database->by('program')->call($verb, $operands, ...$options);
    } catch (Seedbed\Error $error) {
        $document = $error->json;
    }
    echo json_encode($document), "\n";
}
