<?php

// The page of conflicts between a release and what people changed, and with `?absent` that of rows
// which are not there. Copy it to where your pages are, and say which database, and who may settle
// conflicts: no one may at first.
require_once __DIR__ . '/vendor/autoload.php';
$database = new Seedbed\Database(__DIR__ . '/app.sqlite', __DIR__ . '/Migrations');
$maySettle = false;

session_start(['cookie_samesite' => 'Lax', 'cookie_httponly' => true]);
$_SESSION['token'] ??= bin2hex(random_bytes(16)); // against forms of other sites
$text = fn ($value) => htmlspecialchars((string) $value, ENT_QUOTES | ENT_SUBSTITUTE);

/** By the ids of their conflicts, the rows that have any which is not settled. */
$openRows = function () use ($database): array {
    $rows = $found = [];
    foreach ($database->conflicts(open: true)['conflicts'] as $conflict) {
        $rows[json_encode([$conflict['table'], $conflict['key']])][] = $conflict;
    }
    foreach ($rows as $row) {
        $found[implode(' ', array_column($row, 'id'))] = $row;
    }
    return $found;
};

/** Presses a button, and says what came of it. */
$settle = function (string $ids, string $to) use ($database, $openRows): string {
    // The page may be older than the database.
    if (!$row = $openRows()[$ids] ?? null) {
        return 'This row has other conflicts now: look again.';
    }
    $side = ['mine' => 'mine', 'theirs' => 'seed', 'pin' => 'mine'][$to];
    $answer = $database->resolve(array_map(intval(...), explode(' ', $ids)), $side);
    if ($to === 'pin' && $answer['settled']) {
        $database->pin($row[0]['table'], $row[0]['key']);
    }
    return implode(' ', array_column($answer['refused'], 'reason')) ?: 'Done.';
};

/** By table and key, what is not there. */
$absentRows = function () use ($database): array {
    $found = [];
    foreach ($database->absent()['absent'] as $row) {
        $found[json_encode([$row['table'], $row['key']])] = $row;
    }
    return $found;
};

/** Brings a row back, and says so. */
$bringBack = function (string $name) use ($database, $absentRows): string {
    // The row may be there again, and changed since.
    if (!$row = $absentRows()[$name] ?? null) {
        return 'This row is not absent now: look again.';
    }
    $database->reseed($row['table'], $row['key']);
    return 'Done.';
};

$isPost = $_SERVER['REQUEST_METHOD'] === 'POST';
if (!$maySettle || $isPost && !hash_equals($_SESSION['token'], $_POST['token'] ?? '')) {
    http_response_code(403);
    exit('You may not settle conflicts.');
}
$isAbsent = isset($_GET['absent']);
$said = '';
$rows = $absent = [];
try {
    if ($isPost) {
        $said = $isAbsent ? $bringBack($_POST['row'] ?? '')
            : $settle($_POST['ids'] ?? '', $_POST['to'] ?? 'mine');
    }
    [$rows, $absent] = $isAbsent ? [[], $absentRows()] : [$openRows(), []];
} catch (Seedbed\Error $error) {
    $said = $error->getMessage();
}
$cell = fn (?array $side, string $column) => $side === null ? '<em>no row</em>'
    : (isset($side[$column]) ? $text(is_array($side[$column])
        ? json_encode($side[$column]) : $side[$column]) : '<em>NULL</em>');
?>
<!doctype html>
<title>Conflicts</title>
<h1><?= $isAbsent ? 'What is not there' : 'Conflicts' ?></h1>
<p><a href="?<?= $isAbsent ? '">Conflicts' : 'absent">What is not there' ?></a></p>
<p role="status"><?= $text($said ?: ($rows || $absent ? '' : 'There are none.')) ?></p>
<?php foreach ($rows as $ids => $row): ?>
<form method="post">
  <h2><?= $text($row[0]['table'] . ' ' . implode(', ', $row[0]['key'])) ?></h2>
  <input type="hidden" name="ids" value="<?= $text($ids) ?>">
  <input type="hidden" name="token" value="<?= $text($_SESSION['token']) ?>">
  <table>
    <tr><th></th><th>Before</th><th>Mine</th><th>Theirs</th></tr>
    <?php foreach ($row as $conflict): ?>
    <?php foreach ($conflict['mine'] ?? $conflict['seed'] ?? [] as $column => $_): ?>
    <tr><th><?= $text($column) ?></th>
      <?php foreach (['base', 'mine', 'seed'] as $side): ?>
      <td><?= $cell($conflict[$side], $column) ?></td>
      <?php endforeach ?></tr>
    <?php endforeach ?>
    <?php endforeach ?>
  </table>
  <button name="to" value="mine">Keep mine</button>
  <button name="to" value="theirs">Take theirs</button>
  <?php if (end($row)['kind'] === 'edited'): ?>
  <button name="to" value="pin">Leave to me for good</button>
  <?php endif ?>
</form>
<?php endforeach ?>
<?php foreach ($absent as $name => $row): ?>
<form method="post">
  <h2><?= $text($row['table'] . ' ' . implode(', ', $row['key'])) ?></h2>
  <input type="hidden" name="row" value="<?= $text($name) ?>">
  <input type="hidden" name="token" value="<?= $text($_SESSION['token']) ?>">
  <p><?= $text($row['reason']) ?></p>
  <table>
    <?php foreach ($row['row'] as $column => $_): ?>
    <tr><th><?= $text($column) ?></th><td><?= $cell($row['row'], $column) ?></td></tr>
    <?php endforeach ?>
  </table>
  <button>Bring it back</button>
</form>
<?php endforeach ?>
