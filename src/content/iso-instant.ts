const iso =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** Returns a time typed in ISO 8601 as UTC with seconds. Without a zone it is UTC. Undefined when it is not a time. */
export function isoInstant(typed: string): string | undefined {
  const match = iso.exec(typed.trim());
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const offset = zoneMinutes(match[8]);
  if (offset === undefined) return undefined;
  const instant = new Date(0);
  instant.setUTCFullYear(year, month - 1, day);
  instant.setUTCHours(hour, minute - offset, second);
  const utcYear = instant.getUTCFullYear();
  if (utcYear < 1 || utcYear > 9999) return undefined;
  const fraction = (match[7] ?? '').slice(0, 6).padEnd(6, '0');
  const whole = instant.toISOString().slice(0, 19);
  return fraction === '000000' ? `${whole}Z` : `${whole}.${fraction}Z`;
}

function daysIn(year: number, month: number): number {
  const day = new Date(0);
  day.setUTCFullYear(year, month, 0);
  return day.getUTCDate();
}

function zoneMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
