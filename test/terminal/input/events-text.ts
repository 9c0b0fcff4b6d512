import type {InputEvent} from '#terminal/input/input-events.ts';
import {keyName} from '#terminal/input/key.ts';

/** Formats events in a line: keys by name, pastes in quotes, everything else by kind. */
export function eventsText(events: readonly InputEvent[]): string {
  return events.map(shownEvent).join(' ');
}

function shownEvent(event: InputEvent): string {
  switch (event.kind) {
    case 'key':
      return `${keyName(event.key)}${event.isBurst ? '(burst)' : ''}${event.isWheel ? '(wheel)' : ''}`;
    case 'paste':
      return JSON.stringify(event.text);
    case 'focus':
      return event.gained ? 'focus' : 'blur';
    case 'mouse':
      return `${event.wheel ?? event.button}-${event.action}@${event.x},${event.y}`;
    case 'reply':
      return `reply:${event.reply.type}`;
    case 'unknown':
      return 'unknown';
  }
}

/** Returns the text that the events would write into a text field. */
export function typedCharacters(events: readonly InputEvent[]): string {
  return events.map((event) => (event.kind === 'key' ? (event.key.text ?? '') : '')).join('');
}
