import type {Frame} from '#app/core/frame.ts';
import {clockText, dayText, type TimeOptions} from '#content/time-text.ts';

type TimeContext = Pick<Frame, 'account' | 'display' | 'minute'>;

/** Whether times have AM and PM, by the account's setting. */
export function usesHour12({settings}: Pick<Frame['account'], 'settings'>): boolean {
  return settings.twentyFourHourTime === false;
}

/** The account's time format. */
export function timeOptionsOf({account, display, minute}: TimeContext): TimeOptions {
  return {zone: display.zone, hour12: usesHour12(account), now: minute};
}

/** Returns a time such as `yesterday, 14:30`, from milliseconds. */
export function momentText(frame: TimeContext, at: number): string {
  const options = timeOptionsOf(frame);
  return `${dayText(at, options)}, ${clockText(at, options)}`;
}

/** Returns `14:00` for today, otherwise a day and time such as `tomorrow 09:00`. */
export function dueText(frame: TimeContext, at: number): string {
  const options = timeOptionsOf(frame);
  const day = dayText(at, options);
  return day === 'today' ? clockText(at, options) : `${day} ${clockText(at, options)}`;
}
