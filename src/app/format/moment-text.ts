import type {Frame} from '#app/core/frame.ts';
import {clockText, dayText, type TimeOptions} from '#content/time-text.ts';

type TimeContext = Pick<Frame, 'account' | 'display' | 'minute'>;

/** How this person reads times. */
export function timeOptionsOf({account, display: looks, minute}: TimeContext): TimeOptions {
  return {zone: looks.zone, hour12: account.settings.twentyFourHourTime === false, now: minute};
}

/** `yesterday, 14:30`. Milliseconds since the epoch. */
export function momentText(frame: TimeContext, at: number): string {
  const options = timeOptionsOf(frame);
  return `${dayText(at, options)}, ${clockText(at, options)}`;
}

/** `14:00` today, `tomorrow 09:00` and the like otherwise. */
export function dueText(frame: TimeContext, at: number): string {
  const options = timeOptionsOf(frame);
  const day = dayText(at, options);
  return day === 'today' ? clockText(at, options) : `${day} ${clockText(at, options)}`;
}
