import {UsageError} from '#cli/usage-error.ts';

const units: Readonly<Record<string, number>> = {m: 60, h: 3600, d: 86_400, w: 604_800};

/** `30m`, `2h`, `3d`, `1w` ago; a date or a date and time, local unless it says otherwise. Milliseconds since the epoch. */
export function parseMoment(written: string, now: number): number {
  const text = written.trim();
  const [, amount, unit = ''] = /^(\d{1,5}) ?([mhdw])$/.exec(text) ?? [];
  const seconds = units[unit];
  if (amount !== undefined && seconds !== undefined) return now - Number(amount) * seconds * 1000;
  // Of a date alone JavaScript would make midnight in London.
  const local = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00` : text.replace(' ', 'T');
  const at = /^\d{4}-\d\d-\d\dT\d/.test(local) ? Date.parse(local) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new UsageError(`“${written}” is no moment: write 30m, 2h, 3d, 2026-05-01 or 2026-05-01T09:30.`);
}
