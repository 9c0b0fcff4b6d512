import type {App} from '#app/core/app.ts';
import {composed} from '#std/composed-text.ts';
import {parseMoment, withWorkday} from '#std/parse-moment.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {momentText, suggestedTimes} from '#wording/moment-text.ts';

const presets = ['in 1 hour', 'in 3 hours', 'tomorrow 9:00', 'tomorrow 14:00', 'monday 9:00'] as const;

/** Zulip's apps schedule nothing that is due sooner. */
const minAheadMinutes = 5;

/** Returns examples of times that can be typed. */
export function timePlaceholder({state, display}: App): string {
  return suggestedTimes(state, 'fri 16:00, in 2 hours, 2026-05-12 14:30', display.locale);
}

/** Returns the time of a chosen row in seconds, from now on: the rows are only as exact as the clock on the screen. */
export function chosenTime({clock, display}: App, written: string): number {
  const now = clock.now();
  return Math.ceil((parseMoment(written, now, display.zone, display.locale) ?? now) / 1000);
}

/** Returns the times to choose from. The key of a row is its time in words, for `chosenTime`. */
export function scheduleRows(frame: Frame, query: string): readonly PickerRow[] {
  const {minute, display} = frame;
  const {zone, locale} = display;
  const written = query.trim();
  const moment = written === '' ? undefined : parseMoment(written, minute, zone, locale);
  const own = moment === undefined ? [] : [rowOf(frame, written, moment)];
  const usedTimes = new Set([moment]);
  const usual = presets
    .map((preset) => suggestedTimes(frame.account, withWorkday(preset, locale), locale))
    .filter((preset) => preset.toLowerCase().includes(written.toLowerCase()))
    .flatMap((preset) => {
      const at = parseMoment(preset, minute, zone, locale);
      if (at === undefined || usedTimes.has(at)) return [];
      usedTimes.add(at);
      return [rowOf(frame, preset, at)];
    });
  const rows = [...own, ...usual];
  if (rows.length > 0) return rows;
  const reason = composed`“${written}” is not a time: try “${suggestedTimes(frame.account, 'tomorrow 14:00', locale)}” or “in 2 hours”`;
  return [{key: 'none', label: reason, disabled: reason}];
}

function rowOf(frame: Frame, label: string, at: number): PickerRow {
  const isSoon = at < frame.minute + minAheadMinutes * 60_000;
  return {
    key: label,
    label,
    detail: momentText(frame, at),
    ...(isSoon && {disabled: `Pick a time at least ${minAheadMinutes} minutes from now`}),
  };
}
