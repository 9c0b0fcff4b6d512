import {clockText, dayText, type TimeOptions} from '#content/time-text.ts';
import type {CatchUpCard, CatchUpReason} from '#state/selectors/catch-up.ts';
import type {AccountState} from '#state/state.ts';
import {type LocaleFormat, plainFormat} from '#std/locale-format.ts';
import {countedNoun} from './counted-noun.ts';

/** Whose time format is used, and what time it is. */
interface TimeContext {
  readonly account: Pick<AccountState, 'settings'>;
  readonly display: {readonly zone: string | undefined; readonly locale?: LocaleFormat};
  readonly minute: number;
}

/** Whether times have AM and PM: by the account's setting, or by the locale if it leaves that open. */
export function usesHour12({settings}: Pick<AccountState, 'settings'>, locale: LocaleFormat = plainFormat): boolean {
  return settings.twentyFourHourTime === null ? locale.hour12 : settings.twentyFourHourTime === false;
}

/** Returns a text that suggests times, such as `tomorrow 14:00`, in the account's format: `tomorrow 2:00 PM`. */
export function suggestedTimes(account: Pick<AccountState, 'settings'>, text: string, locale?: LocaleFormat): string {
  if (!usesHour12(account, locale)) return text;
  return text.replaceAll(/\b(\d{1,2}):(\d\d)\b/g, (_all, hour: string, minute: string) => {
    return `${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? 'AM' : 'PM'}`;
  });
}

/** The account's time format. */
export function timeOptionsOf({account, display, minute}: TimeContext): TimeOptions {
  const {zone, locale = plainFormat} = display;
  return {zone, hour12: usesHour12(account, locale), dateOrder: locale.dateOrder, now: minute};
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

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Returns the age in at most four columns: `now`, `5m`, `3h`, `2d`, `7w`, `3y`. Times in milliseconds. */
export function ageText(at: number, now: number): string {
  const past = Math.max(0, now - at);
  if (past < minuteMs) return 'now';
  if (past < hourMs) return `${Math.floor(past / minuteMs)}m`;
  if (past < dayMs) return `${Math.floor(past / hourMs)}h`;
  if (past < 14 * dayMs) return `${Math.floor(past / dayMs)}d`;
  if (past < 365 * dayMs) return `${Math.floor(past / (7 * dayMs))}w`;
  return `${Math.floor(past / (365 * dayMs))}y`;
}

/** Returns why a conversation is worth a look: `mentions you, asks you, 4 reactions`. */
export function catchUpReasonText(card: CatchUpCard): string {
  // A question is direct already, and a mention makes a topic a followed one.
  const isSaid = (reason: CatchUpReason, at: number) => at === 0 || (reason !== 'direct' && reason !== 'followed');
  return card.reasons
    .filter(isSaid)
    .map((reason) => reasonText(reason, card))
    .join(', ');
}

function reasonText(reason: CatchUpReason, {reactions, count}: CatchUpCard): string {
  switch (reason) {
    case 'mention':
      return 'mentions you';
    case 'question':
      return 'asks you';
    case 'direct':
      return 'direct message';
    case 'reactions':
      return countedNoun(reactions, 'reaction');
    case 'resolved':
      return 'resolved';
    case 'followed':
      return 'followed';
    case 'other':
      return countedNoun(count, 'message');
  }
}
