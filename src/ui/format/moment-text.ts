import {clockText, dayText, type TimeOptions} from '#content/time-text.ts';
import type {Frame} from '#ui/core/frame.ts';

type TimeContext = Pick<Frame, 'account' | 'display' | 'minute'>;

/** Whether times have AM and PM, by the account's setting. */
export function usesHour12({settings}: Pick<Frame['account'], 'settings'>): boolean {
  return settings.twentyFourHourTime === false;
}

/** Returns a text that suggests times, such as `tomorrow 14:00`, in the account's format: `tomorrow 2:00 PM`. */
export function suggestedTimes(account: Pick<Frame['account'], 'settings'>, text: string): string {
  if (!usesHour12(account)) return text;
  return text.replaceAll(/\b(\d{1,2}):(\d\d)\b/g, (_all, hour: string, minute: string) => {
    return `${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? 'AM' : 'PM'}`;
  });
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
