/** One line of the output of “parley doctor”. */
export interface DoctorCheck {
  /** `warn` needs attention, `FAIL` prevents something from working. */
  readonly status: 'ok' | 'warn' | 'FAIL';
  readonly what: string;
  readonly detail: string;
  /** Further lines, such as configuration to copy. */
  readonly lines?: readonly string[];
}
