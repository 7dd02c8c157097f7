// Scripts/checks/test-npm checks its types, as an ES module and, under another name, as CommonJS.
import {
  absent, conflicts, down, extension, fill, pin, reseed, resolve, SeedbedError, status, up,
} from "seedbed";
import type { Conflict, Report, UpOptions } from "seedbed";

const options: UpOptions = { to: 2, onEdited: "keepEdits", signal: new AbortController().signal };
export async function all(): Promise<bigint | string | number | null> {
  const report: Report = await up("app.sqlite", new URL("file:///Migrations"), {
    ...options, downloaded: ["a"], signedBy: "b", progress: ({ fraction }) => fraction.toFixed(),
  });
  const [first]: Conflict[] = (await conflicts("postgresql:///app", "Migrations")).conflicts;
  await resolve("app.sqlite", "Migrations", [first.id], "mine", { lockTimeout: 0.5 });
  await pin("app.sqlite", "Migrations", "words", { id: 9007199254740993n });
  const filled: Report = await fill("app.sqlite", "Migrations", 7n, { keep: 2 });
  // @ts-expect-error An owner has one key.
  await fill("app.sqlite", "Migrations", [filled.to]);
  const [lost] = (await absent("app.sqlite", "Migrations", "words")).absent;
  await reseed("app.sqlite", "Migrations", lost.table, lost.key, { noBackup: true });
  await reseed("app.sqlite", "Migrations", null, null, { missing: true });
  // @ts-expect-error There is no such option.
  await status("app.sqlite", "Migrations", { tow: 2 });
  // @ts-expect-error It is of `up`.
  await down("app.sqlite", "Migrations", 1, { mustExist: true });
  // @ts-expect-error There is no such policy.
  await up("app.sqlite", "Migrations", { onEdited: "keep" });
  const code: string = new Error() instanceof SeedbedError ? "" : extension();
  return code ? report.to : first.key.id;
}
