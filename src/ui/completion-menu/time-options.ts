import {isoInstant} from '#content/iso-instant.ts';
import {type TimeOptions, timeText} from '#content/time-text.ts';
import type {AccountState} from '#state/state.ts';
import {fuzzyMatch, matchScores} from '#std/fuzzy.ts';
import {suggestedTimes, usesHour12} from '#ui/format/moment-text.ts';
import {isoWithOffset, parseMoment} from '#ui/format/parse-moment.ts';
import type {CompletionContext, CompletionOption} from './completion.ts';

const presets = [
  'now',
  'in 1 hour',
  'today 17:00',
  'tomorrow 9:00',
  'monday 9:00',
  'in 30 minutes',
  'tomorrow 14:00',
  'friday 16:00',
] as const;

/** Returns times that each reader sees in their own zone: the typed one, if it parses, and presets. */
export function timeOptions(
  state: Pick<AccountState, 'settings'>,
  query: string,
  {nowMs, zone}: CompletionContext,
): readonly CompletionOption[] {
  const time = {now: nowMs, zone, hour12: usesHour12(state)};
  const written = query.trim();
  const moment = written === '' ? undefined : (parseMoment(written, nowMs, zone) ?? isoMoment(written));
  const own = moment === undefined ? [] : [timeOption(written, moment, time)];
  const usual = presets.flatMap((name): CompletionOption[] => {
    const preset = suggestedTimes(state, name);
    const at = parseMoment(preset, nowMs, zone);
    const match = fuzzyMatch(written, preset);
    const fits = match !== undefined && (written === '' || match.score >= matchScores.inside);
    const isPast = at === undefined || (at < nowMs && preset !== 'now');
    if (!fits || isPast || at === moment) return [];
    return [{...timeOption(preset, at, time), ranges: match.ranges}];
  });
  return [...own, ...usual];
}

/** Parses only times with a zone: without one, the server and the reader would disagree. */
function isoMoment(written: string): number | undefined {
  const instant = /(?:z|[+-]\d\d:?\d\d)$/i.test(written) ? isoInstant(written) : undefined;
  return instant === undefined ? undefined : Date.parse(instant);
}

function timeOption(label: string, atMs: number, time: TimeOptions): CompletionOption {
  const iso = isoWithOffset(atMs, time.zone);
  return {label, detail: timeText(iso, time), insert: `<time:${iso}> `, ranges: []};
}
