import {bel, osc, sequenceText, tmuxPassthrough} from './control-sequences.ts';
import {acceptsControlStrings, type TerminalEnvironment} from './environment.ts';
import type {NotificationKind} from './program-features.ts';

export interface Notification {
  /** Tells one from another and is none of the reader's business: a number will do. */
  readonly id: number;
  readonly title: string;
  readonly body: string;
}

const longestText = 200;
const application = Buffer.from('Parley').toString('base64');

/**
 * What makes the terminal tell the reader. Where it can only ring, it rings. Inside tmux it always rings as well: that is
 * what marks the window, and the rest gets out only if tmux is configured to let it.
 */
export function notificationSequence(
  notification: Notification,
  kind: NotificationKind,
  environment: TerminalEnvironment,
): string {
  if (kind === 'bell' || !acceptsControlStrings(environment) || environment.inScreen) return bel;
  const sequence = shown(notification, kind);
  return environment.inTmux ? bel + tmuxPassthrough(sequence) : sequence;
}

function shown({id, title, body}: Notification, kind: Exclude<NotificationKind, 'bell'>): string {
  const name = sequenceText(title, longestText);
  const text = sequenceText(body, longestText);
  if (kind === 'kitty') {
    return osc(`99;i=${id}:d=0:f=${application};${name}`) + osc(`99;i=${id}:p=body;${text}`);
  }
  // A semicolon would end the title.
  if (kind === 'urxvt') return osc(`777;notify;${name.replaceAll(';', ',')};${text}`);
  const whole = text === '' ? name : `${name}: ${text}`;
  // `9;4;` and the like are commands of their own.
  return osc(`9;${sequenceText(whole.replace(/^(\d+);/, '$1,'), longestText)}`, bel);
}
