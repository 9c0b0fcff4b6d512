import type {Screen} from '#test/support/terminal/screen.ts';
import type {Size, Terminal} from '#test/support/terminal/terminal.ts';
import type {AnimationFrame} from './animation.ts';
import {completeInbox} from './shots.ts';

export const triageSize: Size = {cols: 80, rows: 24};
export const triageTitle =
  'A minute with the inbox: moving, marking done, undoing, replying, and going to a person by name';

/** Keys and what the screen shows when they have taken effect. */
interface Step {
  /** Names of keys. */
  readonly press?: string;
  /** Text that is typed, one piece for each frame. */
  readonly type?: readonly string[];
  /** What the screen shows when the keys have taken effect; typed text is waited for. */
  readonly until?: readonly string[];
  readonly seconds: number;
  readonly caption: string;
}

const reply = '500 an hour is fine. I watch the gauges tonight.';
const moving = 'The next conversation; its messages are below';

const steps: readonly Step[] = [
  {
    until: [completeInbox, 'It is me…', 'Morning thought on 3', 'It is measured'],
    seconds: 4,
    caption: 'The inbox: what is unread, mentions first',
  },
  {press: 'j', until: ['▌  @1 9', 'The baker winked at me. I think he'], seconds: 2.5, caption: moving},
  {
    press: 'e',
    until: ['Marked Bo Lindqvist', 'Loft door sticks again because of'],
    seconds: 4,
    caption: 'Mark it done and go to the next',
  },
  {
    press: 'z',
    until: ['Undone: Marked Bo', 'The baker winked at me. I think he'],
    seconds: 4,
    caption: 'Undo; it works for every step, also after a restart',
  },
  {press: 'j', until: ['▌    35', 'Loft door sticks again because of'], seconds: 1.2, caption: moving},
  {press: 'j', until: ['▌  @1 8', 'Ring 1 went out at breakfast. 212'], seconds: 2.5, caption: moving},
  {
    press: 'Enter',
    until: ['r writes to', '@1 3 unread', 'inbox @19 192'],
    seconds: 4,
    caption: 'Open it; only what is on the screen becomes read',
  },
  {
    press: 'G',
    until: ['▌ 500 an hour, please', '18 mentions · 189 unread'],
    seconds: 4,
    caption: 'To the newest message',
  },
  {press: 'r', until: ['WRITE', 'Write here'], seconds: 1.5, caption: 'Reply'},
  {type: reply.match(/.{1,3}/g) ?? [], seconds: 0.14, caption: 'Write the reply'},
  {press: 'Enter', until: ['Robin Ashby', `▌ ${reply}`, 'Write here'], seconds: 3, caption: 'Send it'},
  {press: 'Esc', until: ['NAV', 'r writes to'], seconds: 1.2, caption: 'Back to the messages'},
  {
    press: 'e',
    until: ['r writes to #almanac', 'inbox @16 183'],
    seconds: 4,
    caption: 'Done; the next conversation is shown',
  },
  {press: 'Ctrl-G', until: ['Go to…'], seconds: 2.5, caption: 'Go to any conversation, channel, person or command'},
  {type: ['holm'], until: ['harbour board'], seconds: 2, caption: 'Part of a name is enough'},
  {
    press: 'Enter',
    until: ['16 mentions · 181 unread', 'About the board demo'],
    seconds: 4,
    caption: 'Open the conversation; a draft waits there',
  },
];

/** Runs the steps and returns their frames. */
export async function triageFrames(terminal: Terminal): Promise<AnimationFrame[]> {
  const frames: AnimationFrame[] = [];
  const add = async (step: Step, key: string, until: readonly string[]) => {
    const screen = await terminal.waitFor((now) => isReady(now, until), until.join(', '));
    const cursor = [5, 6].includes(terminal.modes.cursorShape) ? 'bar' : 'block';
    frames.push({screen, cursor, seconds: step.seconds, key, caption: step.caption});
  };
  for (const step of steps) {
    const {press, type, until = []} = step;
    if (press !== undefined) terminal.keys(press);
    if (type === undefined) await add(step, press ?? '', until);
    let typed = '';
    for (const piece of type ?? []) {
      typed += piece;
      terminal.type(piece);
      await add(step, '', [`› ${typed.trimEnd()}`, ...until]);
    }
  }
  return frames;
}

function isReady({text}: Screen, until: readonly string[]): boolean {
  return until.every((part) => text.includes(part)) && !/loading|connecting/i.test(text);
}
