<?php

declare(strict_types=1);

// Prints the document of a call: AUTOLOAD INTERFACE PATH CATALOG VERB OPTIONS OPERANDS, in JSON.
[, $autoload, $interface, $path, $catalog, $verb, $options, $operands] = $argv;
require $autoload;
$database = new Seedbed\Database($path, $catalog, $verb === 'conflicts' ? null : $interface);
$operands = array_values(json_decode($operands, true));
try {
    $document = $database->$verb(...$operands, ...json_decode($options, true));
} catch (Seedbed\Error $error) {
    $document = $error->json;
}
echo json_encode($document);
