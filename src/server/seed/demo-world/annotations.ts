import {DemoDataError, type SourcePosition} from './demo-data-error.ts';

/** A `%…` line of a chat script: something about the message beside its text, such as a reaction. */
export type Annotation =
  | {readonly kind: 'react'; readonly emoji: string; readonly people: readonly string[]}
  | {readonly kind: 'star'}
  | {readonly kind: 'edit'; readonly after: string; readonly lines: string[]}
  | {
      readonly kind: 'moved-from';
      readonly topic: string;
      readonly channel: string | undefined;
      readonly by: string;
      readonly after: string;
    }
  | {readonly kind: 'poll-vote' | 'todo-done'; readonly person: string; readonly index: number}
  | {readonly kind: 'vote-option'; readonly person: string; readonly option: string}
  | {readonly kind: 'todo-add'; readonly person: string; readonly task: string; readonly description: string}
  | {readonly kind: 'file'; readonly name: string}
  | {readonly kind: 'id'; readonly label: string};

export type LocatedAnnotation = Annotation & {readonly source: SourcePosition};
export type WidgetAnnotation = Extract<
  LocatedAnnotation,
  {kind: 'poll-vote' | 'vote-option' | 'todo-done' | 'todo-add'}
>;

const parsers: Readonly<Record<string, (rest: string) => Annotation | undefined>> = {
  react: (rest) => {
    const [, emoji, people] = /^(\S+) (\S.*)$/.exec(rest) ?? [];
    if (emoji === undefined || people === undefined) return undefined;
    return {kind: 'react', emoji, people: people.split(',').map((person) => person.trim())};
  },
  star: (rest) => (rest === '' ? {kind: 'star'} : undefined),
  edit: (rest) => {
    const [, after, text] = /^\+(\d+[smhd]):(?: (.*))?$/.exec(rest) ?? [];
    return after === undefined ? undefined : {kind: 'edit', after, lines: text === undefined ? [] : [text]};
  },
  'moved-from': (rest) => {
    const [, topic, channel, by, after] = /^"(.*)"(?: in #(.+))? by (\S+) \+(\d+[smhd])$/.exec(rest) ?? [];
    if (topic === undefined || by === undefined || after === undefined) return undefined;
    return {kind: 'moved-from', topic, channel, by, after};
  },
  'poll-vote': (rest) => parseIndexed('poll-vote', rest),
  'todo-done': (rest) => parseIndexed('todo-done', rest),
  'vote-option': (rest) => {
    const [, person, option] = /^(\S+): (.+)$/.exec(rest) ?? [];
    return person === undefined || option === undefined ? undefined : {kind: 'vote-option', person, option};
  },
  'todo-add': (rest) => {
    const [, person, task, description = ''] = /^(\S+): ([^:]+)(?:: (.*))?$/.exec(rest) ?? [];
    return person === undefined || task === undefined ? undefined : {kind: 'todo-add', person, task, description};
  },
  file: (rest) => (rest === '' ? undefined : {kind: 'file', name: rest}),
  id: (rest) => (/^\S+$/.test(rest) ? {kind: 'id', label: rest} : undefined),
};

function parseIndexed(kind: 'poll-vote' | 'todo-done', rest: string): Annotation | undefined {
  const [, person, index] = /^(\S+) (\d+)$/.exec(rest) ?? [];
  return person === undefined ? undefined : {kind, person, index: Number(index)};
}

/** Parses a line such as `%react heart maren, bo`, given without its percent sign. */
export function parseAnnotation(text: string, source: SourcePosition): LocatedAnnotation {
  const [, word = '', rest = ''] = /^(\S*) ?(.*)$/.exec(text) ?? [];
  const parse = Object.hasOwn(parsers, word) ? parsers[word] : undefined;
  if (parse === undefined) throw new DemoDataError(source, `“%${word}” is not an annotation`);
  const annotation = parse(rest);
  if (annotation === undefined) throw new DemoDataError(source, `“%${text}” does not have the form of %${word}`);
  return {...annotation, source};
}

export function isWidgetAnnotation(annotation: LocatedAnnotation): annotation is WidgetAnnotation {
  return ['poll-vote', 'vote-option', 'todo-done', 'todo-add'].includes(annotation.kind);
}
