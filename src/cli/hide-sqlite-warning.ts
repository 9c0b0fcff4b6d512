/** Keeps Node 22 from printing, when SQLite is first used, that it is experimental. Other warnings are printed. */
export function hideSqliteWarning(): void {
  const {emitWarning} = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    const isHidden = typeof warning === 'string' && warning.startsWith('SQLite is an experimental feature');
    if (!isHidden) Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
}
