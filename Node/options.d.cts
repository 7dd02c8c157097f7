// The options of calls, printed by a test from the table in Sources/SeedbedOptions.
import { Cancellable, Path, Watched } from "./index.cjs";

export interface Options extends Cancellable {
  /** What to do if the user edited a value or row that the seed changes (default: the catalog's, or
   *    keepEdits). */
  onEdited?: "keepEdits" | "preferSeed" | "keepRow" | "overwriteRow" | "fail" | null | undefined;
  /** What to do if a user's row is in a seed row's place (default: the catalog's, or keepUser). */
  onTaken?: "keepUser" | "moveUser" | "replaceUser" | "fail" | null | undefined;
  /** The folder of the backups (default: PATH.backups, next to the database). */
  backups?: Path | null | undefined;
  /** Keep backups of the last N versions: the first and the last N of each; 0 keeps all (default:
   *    2). */
  keep?: number | null | undefined;
  /** The prefix of the ledger's tables (default: seedbed). */
  ledger?: string | null | undefined;
  /** Another catalog of the database: the base of a pack, or a pack of a base. */
  beside?: Path | readonly Path[] | null | undefined;
  /** How long to wait for another process (default: 5). */
  lockTimeout?: number | null | undefined;
  /** A public key that may have signed the downloads, and what is applied of them. */
  signedBy?: string | readonly string[] | null | undefined;
  /** A bundle of releases; go on with the newest one that a key of 'signed-by' signed. */
  downloaded?: Path | readonly Path[] | null | undefined;
  /** Run the SQL in downloads, and let their options weaken the catalog's. */
  allowSql?: boolean | null | undefined;
}

export interface UpOptions extends Options, Watched {
  /** Stop at version N (default: the last one). */
  to?: number | null | undefined;
  /** Do not back up the database first. */
  noBackup?: boolean | null | undefined;
  /** Also apply migrations below the last applied version. */
  allowOutOfOrder?: boolean | null | undefined;
  /** Fail if there is no database. */
  mustExist?: boolean | null | undefined;
  /** Make a database without a ledger, but with rows, one of version N first (default: the
   *    catalog's, or not at all). */
  adopt?: number | null | undefined;
}

export interface PlanOptions extends Options, Watched {
  /** Stop at version N (default: the last one). */
  to?: number | null | undefined;
  /** Plan for 'up --no-backup'. */
  noBackup?: boolean | null | undefined;
  /** Also apply migrations below the last applied version. */
  allowOutOfOrder?: boolean | null | undefined;
  /** Fail if there is no database. */
  mustExist?: boolean | null | undefined;
  /** Make a database without a ledger, but with rows, one of version N first (default: the
   *    catalog's, or not at all). */
  adopt?: number | null | undefined;
}

export interface DownOptions extends Options, Watched {
  /** Let down.sql drop or empty tables and columns that hold users' data. */
  discardUserRows?: boolean | null | undefined;
  /** Do not back up the database first. */
  noBackup?: boolean | null | undefined;
}

export interface ReseedOptions extends Options {
  /** Do not back up the database first. */
  noBackup?: boolean | null | undefined;
  /** Bring back all absent rows, and change no other. */
  missing?: boolean | null | undefined;
}
