import type {KeyContext} from './context-names.ts';

/** Changes to the default keys, by context: sequence → command, or `-` to unbind it. */
export type KeyChanges = Readonly<Partial<Record<KeyContext, Readonly<Record<string, string>>>>>;

export const presetNames = ['zulip', 'vim+', 'weechat', 'gmail'] as const;
export type PresetName = (typeof presetNames)[number];

/** Keys as in other programs. `zulip` is the default. */
export const keyPresets: Readonly<Record<PresetName, KeyChanges>> = {
  zulip: {},
  /** `:` opens the command line, `i` replies, `u` undoes, `y y` copies, `d d` deletes. */
  'vim+': {
    nav: {
      ':': 'command.line',
      'g :': 'palette.open',
      ';': '-',
      u: 'undo',
      y: '-',
      'g y': 'view.topics',
      d: '-',
      'g e': 'move.last',
      'Ctrl-F': 'page.down',
    },
    msgs: {
      ':': '-',
      ';': 'react.picker',
      u: '-',
      'g U': 'user.card',
      i: 'reply',
      ',': 'msg.actions',
      'y y': 'msg.copytext',
      'y l': 'msg.copylink',
      'd d': 'msg.delete',
    },
    list: {u: '-', 'g U': 'user.card'},
    inbox: {':': '-', ';': 'triage.react'},
  },
  /** Alt-1 to Alt-9 go to conversations instead of accounts; F5, F6 and Alt with arrows step through the conversations. */
  weechat: {
    global: {
      ...Object.fromEntries(Array.from({length: 9}, (_, at) => [`Alt-${at + 1}`, 'go.recent'])),
      'Alt-Up': '-',
      'Alt-Down': '-',
      'Alt-j': 'go.anything',
    },
    nav: {
      F5: 'conv.prev',
      F6: 'conv.next',
      'Alt-Up': 'conv.prev',
      'Alt-Down': 'conv.next',
      'g 1': 'account.pick',
    },
  },
  /** `x` selects, `u` goes back, `s` stars, `#` deletes, `f` forwards, `a` replies. */
  gmail: {
    nav: {
      u: 'back',
      x: '-',
      s: '-',
      a: '-',
      '#': '-',
      'g #': 'channel.info',
      'g x': 'compose.dm',
      'g v': 'view.toggle',
      'g f': 'view.combined',
    },
    msgs: {u: '-', 'g U': 'user.card', s: 'msg.star', '#': 'msg.delete', f: 'forward', a: 'reply'},
    list: {u: '-', 'g U': 'user.card', x: 'select.toggle'},
    drafts: {'#': 'draft.delete'},
  },
};
