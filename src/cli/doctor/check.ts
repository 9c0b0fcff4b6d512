export interface DoctorCheck {
  /** `warn` is worth knowing, `FAIL` keeps something from working. */
  readonly status: 'ok' | 'warn' | 'FAIL';
  readonly what: string;
  readonly detail: string;
  /** Lines to do something with, such as those of a configuration. */
  readonly lines?: readonly string[];
}
