/** A part of the day in minutes after midnight; `to` may be before `from`, on the next day. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Parses a part of the day such as `22:00-06:30`; undefined for other texts. */
export function parseTimeRange(text: string): TimeRange | undefined {
  const match = /^(\d{1,2}):(\d{2})\s*[-–]\s*(\d{1,2}):(\d{2})$/.exec(text.trim());
  const [fromHour = 99, fromMinute = 99, toHour = 99, toMinute = 99] = match?.slice(1).map(Number) ?? [];
  if (fromHour > 23 || toHour > 24 || fromMinute > 59 || toMinute > 59) return undefined;
  const from = fromHour * 60 + fromMinute;
  const to = toHour * 60 + toMinute;
  return to > 24 * 60 || from === to ? undefined : {from, to};
}
