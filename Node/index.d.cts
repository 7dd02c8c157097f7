// The documents are those of `seedbed VERB --json`, of which Documentation/JSON.md has all keys.
import { DownOptions, Options, PlanOptions, ReseedOptions, UpOptions } from "./options.cjs";
export { DownOptions, Options, PlanOptions, ReseedOptions, UpOptions };

/** A path, or the URL of a file. */
export type Path = string | URL;
/** A path, or a postgresql:// URL. */
export type Database = string | URL;
/** Of a row. An integer that a number cannot hold exactly is a BigInt. */
export type Value = string | number | bigint | null;
export type Row = { [column: string]: Value };
/** A value, the values of several columns in their order, or an object with the columns' names. */
export type Key = KeyValue | readonly KeyValue[] | { readonly [column: string]: KeyValue };
export type KeyValue = string | number | bigint;

export interface Cancellable {
  /** Stops the call: it rolls back the release that it is at, and fails with "cancelled". */
  signal?: AbortSignal | null | undefined;
}
export interface Watched {
  /** Called ten times a second. What it throws stops the call, and is thrown by it. */
  progress?: ((progress: Progress) => void) | null | undefined;
}
export interface Progress { fraction: number; phase: string; table: string | null; rows: number }
export interface Conflict {
  id: number; version: number; table: string; key: Row; names?: Row;
  kind: string; policy: string | null; resolution: string;
  base: Row | null; mine: Row | null; seed: Row | null; movedTo: Row | null;
  at: string; settled: "mine" | "seed" | null; settledAt: string | null;
}
export interface PassedOver { path: string; reason: string; message: string }
export interface Report {
  outcome: "applied" | "planned" | "reverted" | "upToDate";
  from: number; to: number; backup: string | null; touchedTables: string[];
  migrations: { version: number; name: string; conflicts: Conflict[]; conflictCount: number }[];
  passedOver?: PassedOver[];
  [key: string]: unknown;
}
export interface Status {
  state: "upToDate" | "pending" | "outOfOrder" | "missing" | "drifted" | "newer" | "needsRecovery";
  current: number; target: number; passedOver?: PassedOver[];
  migrations: { version: number; name: string; state: string; rows: number | null }[];
  [key: string]: unknown;
}
export interface Settlement {
  settled: number[]; changedSince: number[]; touchedTables: string[];
  refused: { id: number; reason: string }[];
}
export interface Pins { pinned: { table: string; key: Row }[] }
export interface Origin { origin: string | null; original: Row | null; isPinned: boolean }
export interface AbsentRow {
  table: string; key: { [column: string]: KeyValue }; reason: string; row: Row; version: number;
}
export interface Reseeded {
  outcome: "reseeded" | "upToDate"; backup: string | null; touchedTables: string[];
  tables: { table: string; inserted: number; updated: number; kept: number; keys: Row[] }[];
}

/** Nothing is left half done. `code` is what a program decides by, such as "busy"; `applied` are
 * the releases that were finished before, and stay. */
export class SeedbedError extends Error {
  readonly code: string; readonly json: unknown;
  readonly file: string | null; readonly line: number | null; readonly column: number | null;
  readonly version: number | null; readonly applied: number[]; readonly databaseUnchanged: boolean;
}

type Call<Given, Answer> = (db: Database, catalog: Path, options?: Given | null) => Promise<Answer>;
type OfRow<Answer> = (
  db: Database, catalog: Path, table: string, key: Key, options?: Options | null
) => Promise<Answer>;
/** Applies the pending releases, each in one transaction, after a backup. */
export const up: Call<UpOptions, Report>;
/** Does all that `up` would do, and rolls it back: the conflicts before they happen. */
export const plan: Call<PlanOptions, Report>;
/** Takes back all releases above a version. */
export function down(
  db: Database, catalog: Path, to: number, options?: DownOptions | null
): Promise<Report>;
/** What is applied and pending. Changes nothing. */
export const status: Call<Options, Status>;
/** The log of conflicts, the oldest first. */
export const conflicts: Call<Options, { conflicts: Conflict[] }>;
/** Settles conflicts for the user ("mine") or the release ("seed"). */
export function resolve(
  db: Database, catalog: Path, id: number | readonly number[], side: "mine" | "seed",
  options?: Options | null
): Promise<Settlement>;
/** Leaves a row of the catalog to the user for good. */
export const pin: OfRow<Pins>;
/** Ends a `pin`. */
export const unpin: OfRow<Pins>;
/** Whether a row is the seed's or the user's, and its values in the catalog. */
export const origin: OfRow<Origin>;
/** The rows of the catalog that are not in the database, and why; of one table or of all. */
export function absent(
  db: Database, catalog: Path, table?: string | null, options?: Options | null
): Promise<{ absent: AbsentRow[] }>;
/** Puts a row back as the catalog has it, whatever the user did to it, after a backup. Without a
 * key and with `missing`: all rows that are absent, of the table or of all. */
export function reseed(
  db: Database, catalog: Path, table: string | null, key: Key | null,
  options?: ReseedOptions | null
): Promise<Reseeded>;
/** Gives a new owner, by its key, a copy of the rows of each table with the option "per". Another
 * process does it: commit the owner first. `up` fills owners that have no copy. */
export function fill(
  db: Database, catalog: Path, owner: KeyValue, options?: Options | null
): Promise<Report>;
/** The path of the extension, for the loadExtension() of node:sqlite and better-sqlite3. */
export function extension(): string;
/** The path of the program. */
export function program(): string;
