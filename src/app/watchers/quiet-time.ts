import {type App, persistValue, readPersistedValue} from '#app/core/app.ts';
import {otherApps} from '#app/core/other-apps.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {isInQuietHours, quietHoursEnd} from '#config/quiet-hours.ts';
import {isMentionFlag} from '#state/messages/event-conversations.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {parseMoment} from '#std/parse-moment.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {dueText, suggestedTimes} from '#wording/moment-text.ts';

const storageKey = 'held notifications';
const checkMs = 60_000;
/** More are not counted one by one: after a long absence the number says enough. */
const maxHeld = 1000;

type HeldKind = 'mention' | 'direct message' | 'channel message';
type Held = readonly [id: number, kind: HeldKind];
const kinds: readonly HeldKind[] = ['mention', 'direct message', 'channel message'];

/** Whether nothing may disturb now: the user asked for it, or quiet hours apply, which a rule of triage overrides. */
export function isQuietNow(app: App, isRuled = false): boolean {
  if (isDoNotDisturb(app)) return true;
  return !isRuled && isInQuietHours(app.settings.notifyQuiet, app.clock.now(), app.display.zone);
}

function isDoNotDisturb({device, clock}: App): boolean {
  return device.doNotDisturb.until() > clock.now();
}

/** Shows in the status line until when notifications are held; removes the sign when that is over. */
export function showQuietTime(app: App): void {
  const now = app.clock.now();
  const {notifyQuiet} = app.settings;
  const until = Math.max(app.device.doNotDisturb.until(), quietHoursEnd(notifyQuiet, now, app.display.zone) ?? 0);
  const quietUntil = until > now ? until : undefined;
  if (app.screen.quietUntil !== quietUntil) app.set({quietUntil});
}

/** Remembers messages whose notification is held back, also over a restart. */
export function holdNotifications(app: App, messages: readonly Message[]): void {
  const held = new Map(readHeld(app));
  for (const message of messages) held.set(message.id, kindOf(message));
  persistValue(app, storageKey, [...held].slice(-maxHeld));
}

function kindOf(message: Message): HeldKind {
  if (message.flags.some(isMentionFlag)) return 'mention';
  return conversationOf(message).kind === 'direct' ? 'direct message' : 'channel message';
}

function readHeld(app: App): readonly Held[] {
  return readPersistedValue(app, storageKey, (value) => {
    const isHeld = (one: unknown): one is Held =>
      Array.isArray(one) && typeof one[0] === 'number' && kinds.includes(one[1]);
    return Array.isArray(value) ? value.filter(isHeld) : [];
  });
}

/** Returns a line about what was held back and is still unread, once quiet time is over; undefined if there is nothing to say. */
function takeHeldText(app: App): string | undefined {
  const held = readHeld(app);
  if (held.length === 0 || isQuietNow(app)) return undefined;
  persistValue(app, storageKey, []);
  const unread = held.filter(([id]) => app.state.unreads.byId.has(id));
  if (unread.length === 0) return undefined;
  const counts = kinds.flatMap((kind) => {
    const count = unread.filter(([, one]) => one === kind).length;
    return count === 0 ? [] : [countedNoun(count, kind)];
  });
  const were = unread.length === 1 ? 'was' : 'were';
  return `${countedNoun(unread.length, 'notification')} ${were} held back: ${counts.join(', ')}`;
}

/** Shows the sign of quiet time, and calls `show` with the line about what was held back, within a minute after it is over. */
export function watchHeldNotifications(app: App, show: (app: App, text: string) => void): void {
  const check = () => {
    showQuietTime(app);
    const text = takeHeldText(app);
    if (text !== undefined) show(app, text);
    cancel = app.clock.after(waitMs(), check);
  };
  // Checked by the clock of the wall each time: the machine may have slept, or its clock may have been set.
  const waitMs = () => Math.min(checkMs, (app.screen.quietUntil ?? Number.POSITIVE_INFINITY) - app.clock.now());
  showQuietTime(app);
  let cancel = app.clock.after(waitMs(), check);
  app.onEnd(() => cancel());
}

/** Asks until when nothing may notify. */
export function openDoNotDisturb(app: App): void {
  openPicker(app, {
    id: 'do not disturb',
    title: 'Do not disturb',
    isGeneral: true,
    placeholder: suggestedTimes(app.state, 'until 14:30, in 20 min, mon 9:00', app.display.locale),
    hint: {Enter: 'chooses', Esc: 'closes'},
    rows: doNotDisturbRows,
    accept: (from, {key}) => {
      from.closeOverlay();
      setDoNotDisturb(from, Number(key));
    },
  });
}

const usualTimes = ['in 30 min', 'in 1 hour', 'in 2 hours', 'tomorrow 9:00', 'next week 9:00'];

function doNotDisturbRows(frame: Frame, query: string): readonly PickerRow[] {
  const {minute, display} = frame;
  const texts = query.trim() === '' ? usualTimes : [query.trim().replace(/^until /i, '')];
  return texts.flatMap((text) => {
    const at = parseMoment(text, minute, display.zone, display.locale);
    if (at === undefined || at <= minute) return [];
    return [
      {
        key: String(at),
        label: `Until ${dueText(frame, at)}`,
        detail: query === '' ? text.replace(/^in /, 'for ') : undefined,
      },
    ];
  });
}

const hourMs = 60 * 60_000;

export function doNotDisturbForHour(app: App): void {
  setDoNotDisturb(app, app.clock.now() + hourMs);
}

export function endDoNotDisturb(app: App): void {
  if (isDoNotDisturb(app)) setDoNotDisturb(app, 0);
  else app.toast('Do not disturb is off already', 'warning');
}

/** Sets until when nothing may notify, for all accounts; 0 is not at all. */
function setDoNotDisturb(app: App, until: number): undefined {
  const {doNotDisturb} = app.device;
  const before = doNotDisturb.until();
  const change = (to: number) => {
    doNotDisturb.set(to);
    for (const each of [app, ...otherApps(app)]) showQuietTime(each);
    return labelOf(app, to);
  };
  const label = change(until);
  const undo = () => change(before);
  app.undoStack.push({label, undo, redo: () => setDoNotDisturb(app, until)});
  app.toast(withUndoKey([label, takeHeldText(app)].filter((text) => text !== undefined).join('. ')));
}

function labelOf(app: App, until: number): string {
  return until > app.clock.now() ? `Do not disturb until ${dueText(app.frame, until)}` : 'Notifications are on';
}
