<?php

declare(strict_types=1);

namespace Seedbed\Laravel;

use Illuminate\Console\Command;
use Illuminate\Support\Facades\Cache;
use Seedbed\Database;
use Seedbed\Error;

final class UpCommand extends Command
{
    protected $signature = 'seedbed:up {options?* : such as no-backup, or to=3}';
    protected $description = 'Brings the rows of the catalog to the database, after migrate';

    public function handle(Database $database): int
    {
        $options = ['mustExist' => true] + config('seedbed.up');
        foreach ($this->argument('options') as $word) {
            [$name, $value] = explode('=', ltrim($word, '-'), 2) + [1 => true];
            $options[$name] = $value;
        }
        try {
            $report = $database->by('program')->up(...$options);
        } catch (Error $error) {
            $this->error("seedbed: {$error->getMessage()}");
            return $error->exitCode ?? 2;
        }
        if ($report['touchedTables']) {
            Cache::flush();
        }
        $found = array_sum(array_column($report['migrations'], 'conflictCount'));
        $this->line("Rows are at release $report[to] ($report[outcome]), conflicts: $found.");
        $passedOver = array_column($report['passedOver'] ?? [], 'message');
        foreach ([...$report['notes'] ?? [], ...$passedOver] as $text) {
            $this->warn($text);
        }
        return 0;
    }
}
