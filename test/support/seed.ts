import fc from 'fast-check';

/**
 * Property tests draw the same cases in every run, so that the same code always gives the same verdict. Hunting for new
 * ones is a deed of its own: `PARLEY_SEED=random npm run check`, or the number that a failure printed.
 */
const wish = process.env.PARLEY_SEED ?? '20260801';

if (wish !== 'random') fc.configureGlobal({...fc.readConfigureGlobal(), seed: Number(wish)});
