import {globSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {parseAst} from 'vitest/node';

/** The layers whose texts people read. */
const folders = ['app', 'commands', 'ui', 'wording', 'state/selectors', 'state/actions', 'cli/verbs', 'cli/messages'];

/** Functions and properties whose value is something that people wrote: names, topics, titles of conversations, texts. */
const valueFunctions =
  /^(?:(?:distinct)?[uU]serName|channelName|topic(?:Display)?Name|groupLabel|groupSettingText|\w+Title|titleOf|namesOf|reactorNames|excerpt|messageExcerpt)$/;
const valueProperties = /^(?:fullName|senderName|topic|label|title)$/;
const namedObjects = /^(?:channel|group|folder|user|bot|view|other|existing|values|before)$/;

/** Templates that are data, not texts: Markdown, links, keys, search words, words of the program. */
const dataFiles = [
  'app/connection/connection-card.ts',
  'cli/verbs/keys.ts',
  'ui/core/frame.ts',
  'app/rules/rule-form.ts',
  'commands/help.ts',
  'commands/key-guide.ts',
  'ui/inbox/triage-rows.ts',
  'ui/search/find-channels-and-topics.ts',
  'ui/search/omnibox.ts',
  'ui/search/search-operands.ts',
];

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flat().filter(isNode);
}

/** Returns whether an expression is a value that people wrote, or may be one. */
function isValue(node: unknown): boolean {
  if (!isNode(node)) return false;
  const name = (part: unknown) => (isNode(part) && part.type === 'Identifier' ? String(part.name) : '');
  switch (node.type) {
    case 'CallExpression': {
      const callee = name(node.callee);
      if (/^(?:printableLine|sanitizeText)$/.test(callee)) return [node.arguments].flat().some(isValue);
      return valueFunctions.test(callee);
    }
    case 'MemberExpression':
      if (/glyphs$/i.test(name(node.object)) || (isNode(node.object) && name(node.object.callee) === 'uiGlyphs'))
        return false;
      if (name(node.property) === 'name') return namedObjects.test(name(node.object));
      return valueProperties.test(name(node.property));
    case 'LogicalExpression':
      return isValue(node.left) || isValue(node.right);
    case 'ConditionalExpression':
      return isValue(node.consequent) || isValue(node.alternate);
    case 'ChainExpression':
      return isValue(node.expression);
    default:
      return false;
  }
}

/** Returns the places of templates with a value that people wrote and anything else, without `composed`. */
function uncomposed(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'TaggedTemplateExpression') {
      for (const hole of [(node.quasi as Node).expressions].flat().filter(isNode)) visit(hole);
      return;
    }
    if (node.type === 'Property' && isNode(node.key) && /^(?:key|id)$/.test(String(node.key.name))) return;
    const holes = node.type === 'TemplateLiteral' ? [node.expressions].flat() : [];
    const isMixed =
      holes.length > 1 ||
      text.slice(node.start + 1, node.start + 3) !== '${' ||
      !text.startsWith('}`', Number(node.end) - 2);
    // `channel>topic` is written so in Markdown and in searches.
    const isSyntax = text.slice(node.start, Number(node.end)).includes('}>${');
    if (isMixed && !isSyntax && holes.some(isValue)) {
      found.push(
        `${file}:${text.slice(0, node.start).split('\n').length}: ${text.slice(node.start, Number(node.end))}`,
      );
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parseAst(text, {lang: file.endsWith('x') ? 'tsx' : 'ts'}) as unknown as Node);
  return found;
}

test('composed texts: a text with a name, topic or title is made by `composed`, which isolates it', () => {
  const files = folders.flatMap((folder) => globSync(`src/${folder}/**/*.{ts,tsx}`)).sort();
  expect(files.length).toBeGreaterThan(300);
  const texts = files.filter((file) => !dataFiles.includes(file.slice('src/'.length)));
  expect(texts.flatMap(uncomposed)).toEqual([]);
});

test('composed texts: the files that are left out have templates of data', () => {
  expect(dataFiles.filter((file) => uncomposed(`src/${file}`).length === 0)).toEqual([]);
});
