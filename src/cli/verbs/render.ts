import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {PlainFailure, printJson, printStyled} from '#cli/io.ts';
import {readStdin} from '#cli/messages/local-files.ts';
import {refuseOverSsh} from '#cli/restriction.ts';
import {highlightCode} from '#content/highlight/highlight-code.ts';
import {compileLinkifier} from '#content/linkifier.ts';
import {unicodeGlyphs} from '#content/render/glyphs.ts';
import {renderMessage} from '#content/render/render-message.ts';
import type {RenderContext, RenderOptions} from '#content/render/render-options.ts';
import {ansiLine, lineToText} from '#content/styled-text/ansi.ts';
import {isRecord} from '#std/parse-json.ts';
import {colorDepthOf} from '#theme/color-depth.ts';
import {themes} from '#theme/themes.ts';
import type {VerbRunner} from './verb-table.ts';

/** JSON lines are wide enough that most texts are not wrapped, unless a width is given. */
const [defaultWidth, jsonWidth] = [80, 300];

/** Options for JSON output: the text itself, with as few added characters as possible. */
const jsonOptions: Partial<RenderOptions> = {
  linkNumbers: false,
  fileMarks: false,
  expanded: true,
  glyphs: {...unicodeGlyphs, codeBar: ' ', open: ' ', topic: '>'},
};

export const render: VerbRunner<'render'> = async ({values}, io) => {
  if (values.world !== undefined) refuseOverSsh(io, 'files');
  const world = values.world === undefined ? parseWorld({}, '') : readWorldFile(resolve(io.cwd, values.world));
  const source = (await readStdin(io)).replace(/\r?\n$/, '');
  const message = {source, ...(world.senderName === undefined ? {} : {senderName: world.senderName})};
  const options: RenderOptions = {
    width: values.width ?? (values.json ? jsonWidth : (io.columns ?? defaultWidth)),
    expanded: values.expanded,
    alertWords: world.alertWords,
    hour12: world.hour12,
    now: io.clock.now(),
    ...(world.zone === undefined ? {} : {zone: world.zone}),
  };
  if (values.json) {
    const {lines, links} = renderMessage(message, world.context, {...options, ...jsonOptions});
    printJson(io, {lines: lines.map(lineToText), links});
    return undefined;
  }
  const look = themes.default.styleSheet(values.color ?? colorDepthOf(io.env, io.outputIsTty));
  const highlighting = look.isPlain ? {} : {highlight: await highlights(message, world.context, options)};
  const {lines} = renderMessage(message, world.context, {...options, ...highlighting, footLinks: true});
  for (const line of lines) await printStyled(io, ansiLine(line, look));
  return undefined;
};

type Highlight = NonNullable<RenderOptions['highlight']>;

/** Highlights the code blocks. A first rendering finds out which there are. */
async function highlights(...[message, context, options]: Parameters<typeof renderMessage>): Promise<Highlight> {
  const requested = new Map<string, {language: string; code: string}>();
  const key = (language: string, code: string) => `${language}\n${code}`;
  renderMessage(message, context, {
    ...options,
    highlight: (language, code) => {
      requested.set(key(language, code), {language, code});
      return undefined;
    },
  });
  const ready = new Map<string, Awaited<ReturnType<typeof highlightCode>>>();
  for (const [name, {language, code}] of requested) ready.set(name, await highlightCode(language, code));
  return (language, code) => ready.get(key(language, code));
}

type Data = Readonly<Record<string, unknown>>;

/** Reads a file such as `{"realm_url": …, "users": [{"id": 7, "full_name": "Zoe"}], "channels": [{"id": 1, "name": …}]}`. */
function readWorldFile(path: string) {
  const orFailure = <T>(body: () => T, problem: string): T => {
    try {
      return body();
    } catch {
      throw new PlainFailure(problem);
    }
  };
  const written = orFailure(() => readFileSync(path, 'utf8'), `Cannot read ${path}.`);
  const data: unknown = orFailure(() => JSON.parse(written), `${path} is not JSON.`);
  if (!isRecord(data)) throw new PlainFailure(`${path} does not contain a JSON object.`);
  return parseWorld(data, path);
}

/** Reads the data of an organization that rendering a message depends on; `path` is the file, for messages. */
export function parseWorld(data: Data, path: string) {
  const records = (key: string) => recordsOf(data[key], key, path);
  return {
    context: {
      ...userContext(records('users'), records('groups'), number(data.self)),
      ...channelContext(records('channels'), text(data.realm_url), text(data.empty_topic_name)),
      ...customEmoji([...records('emoji'), ...records('custom_emoji')]),
      linkifiers: records('linkifiers').flatMap(linkifier),
      ...(typeof data.default_code_language === 'string' && {defaultCodeLanguage: data.default_code_language}),
      translateEmoticons: data.translate_emoticons === true,
    },
    alertWords: Array.isArray(data.alert_words) ? data.alert_words.filter((word) => typeof word === 'string') : [],
    zone: text(data.time_zone),
    hour12: data.hour12 === true,
    /** The sender of the message, for `/me`. */
    senderName: text(data.sender),
  };
}

/** Returns the records that have an id and a name, each under one of these keys. */
function identified(records: readonly Data[], idKey: string, nameKey = 'name') {
  return records.flatMap((record) => {
    const id = number(record.id ?? record[idKey]);
    const name = text(record[nameKey] ?? record.name);
    return id === undefined || name === undefined ? [] : [{id, name, record}];
  });
}

function userContext(users: readonly Data[], groups: readonly Data[], selfId: number | undefined): RenderContext {
  const knownUsers = identified(users, 'user_id', 'full_name').map(({id, name, record}) => {
    return {id, fullName: name, isActive: record.is_active !== false};
  });
  const knownGroups = identified(groups, 'id').map(({id, name, record}) => ({
    id,
    name,
    isSystem: record.is_system_group === true,
    isActive: record.deactivated !== true,
    hasSelf: Array.isArray(record.members) && record.members.includes(selfId),
  }));
  return {
    ...(selfId === undefined ? {} : {selfId}),
    // Of several users with the name, servers take the last one.
    userByName: (name) => knownUsers.findLast((user) => user.fullName.toLowerCase() === name.toLowerCase()),
    userById: (id) => knownUsers.find((user) => user.id === id),
    groupByName: (name) => knownGroups.find((group) => group.name.toLowerCase() === name.toLowerCase()),
    isInGroup: (id) => knownGroups.some((group) => group.id === id && group.hasSelf),
  };
}

function channelContext(
  channels: readonly Data[],
  realmUrl: string | undefined,
  emptyTopicName: string | undefined,
): RenderContext {
  const byName = new Map(identified(channels, 'stream_id').map(({id, name}) => [name, {id}]));
  return {
    channelByName: (name) => byName.get(name),
    ...(realmUrl === undefined ? {} : {realmUrl: realmUrl.replace(/\/+$/, '')}),
    ...(emptyTopicName === undefined ? {} : {emptyTopicName}),
  };
}

function customEmoji(records: readonly Data[]): RenderContext {
  const byName = new Map(
    records.flatMap((emoji) => {
      const name = emoji.deactivated === true ? undefined : text(emoji.name);
      const id = emoji.id ?? emoji.name;
      return name === undefined ? [] : [[name, {id: String(id), sourceUrl: text(emoji.source_url) ?? ''}] as const];
    }),
  );
  return {customEmoji: (name) => byName.get(name)};
}

function linkifier({pattern, url_template: urlTemplate}: Data) {
  if (typeof pattern !== 'string' || typeof urlTemplate !== 'string') return [];
  return compileLinkifier({pattern, urlTemplate}) ?? [];
}

function recordsOf(value: unknown, key: string, path: string): readonly Data[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new PlainFailure(`“${key}” in ${path} is not a list.`);
  return value.filter(isRecord);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
