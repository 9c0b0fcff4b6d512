import fc from 'fast-check';
import {fewOrAll} from './tier.ts';

/**
 * Makes property tests use the same cases in every run, so that the same code always gives the same result. To search for
 * new cases, run `PARLEY_SEED=random npm run check`, or set the number that a failure printed.
 */
const seed = process.env.PARLEY_SEED ?? '20260801';

/** Longer cases are cut: some are whole account states. */
const maxCaseLength = 4000;

/**
 * Throws the error of a failed property itself, so that the report begins with what differs. How to repeat it, and the case,
 * are its cause, which is printed last.
 */
function report<T>(details: fc.RunDetails<T>): void {
  if (!details.failed) return;
  const {errorInstance: error, counterexample, counterexamplePath: path, numRuns} = details;
  const text = fc.stringify(counterexample);
  const shown = text.length > maxCaseLength ? `${text.slice(0, maxCaseLength)}…` : text;
  const repeat = `Failed after ${numRuns} cases: {seed: ${details.seed}, path: ${JSON.stringify(path)}}\n${shown}`;
  if (!(error instanceof Error)) throw new Error(fc.defaultReportMessage(details));
  error.cause = new Error(repeat, {cause: error.cause});
  throw error;
}

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  reporter: report,
  numRuns: fewOrAll(40, 100),
  ...(seed === 'random' ? {} : {seed: Number(seed)}),
});
