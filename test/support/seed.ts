import fc from 'fast-check';

/**
 * Makes property tests use the same cases in every run, so that the same code always gives the same result. To search for
 * new cases, run `PARLEY_SEED=random npm run check`, or set the number that a failure printed.
 */
const seed = process.env.PARLEY_SEED ?? '20260801';

if (seed !== 'random') fc.configureGlobal({...fc.readConfigureGlobal(), seed: Number(seed)});
