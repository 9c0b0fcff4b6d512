import {bel, osc, sequenceText, tmuxPassthrough} from './control-sequences.ts';
import {acceptsControlStrings, type TerminalEnvironment} from './environment.ts';
import type {NotificationKind} from './program-features.ts';

export interface Notification {
  /** Distinguishes notifications; the user never sees it. */
  readonly id: number;
  readonly title: string;
  readonly body: string;
}

const maxLength = 200;
const application = Buffer.from('Parley').toString('base64');

/**
 * Returns the sequence that notifies the user, or the bell where that is all the terminal can do. Inside tmux it always
 * rings too: that marks the window, and the notification gets through only if tmux is configured for it.
 */
export function notificationSequence(
  notification: Notification,
  kind: NotificationKind,
  environment: TerminalEnvironment,
): string {
  if (kind === 'bell' || !acceptsControlStrings(environment) || environment.inScreen) return bel;
  const sequence = notificationText(notification, kind);
  return environment.inTmux ? bel + tmuxPassthrough(sequence) : sequence;
}

function notificationText({id, title, body}: Notification, kind: Exclude<NotificationKind, 'bell'>): string {
  const name = sequenceText(title, maxLength);
  const text = sequenceText(body, maxLength);
  if (kind === 'kitty') {
    return osc(`99;i=${id}:d=0:f=${application};${name}`) + osc(`99;i=${id}:p=body;${text}`);
  }
  // A semicolon would end the title.
  if (kind === 'urxvt') return osc(`777;notify;${name.replaceAll(';', ',')};${text}`);
  const line = text === '' ? name : `${name}: ${text}`;
  // `9;4;` and similar starts are other commands.
  return osc(`9;${sequenceText(line.replace(/^(\d+);/, '$1,'), maxLength)}`, bel);
}
