import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

/** What a package contains of others. */
export interface ThirdParty {
  readonly name: string;
  readonly version?: string | undefined;
  /** The SPDX identifier. */
  readonly licence: string | undefined;
  /** The licence and the notices that must accompany it. */
  readonly texts: readonly string[];
}

/** The licences that allow copies inside another program, if their texts come with it. A new one must be read before it is added. */
const allowedLicences = new Set(['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0']);

/** What no package says: the texts are in `assets/licences/`, by name. `within` begins the path of a file that contains it. */
const unpackaged = [
  // The parser of undici; the text is the one of Node, which contains it too.
  {name: 'llhttp', licence: 'MIT', within: 'node_modules/undici/lib/llhttp/'},
  {name: 'Pygments', licence: 'BSD-2-Clause', within: 'assets/content/'},
  {name: 'Zulip', licence: 'Apache-2.0', within: 'assets/emoji/'},
] as const;

const licenceFile = /^(?:licen[cs]e|copying|notice)/i;
const licenceText = /Permission is hereby granted|Redistribution and use/;
const rule = '-'.repeat(80);

/** Returns the licence of Parley and the notices of these files, whose paths begin in the folder of the project. */
export function noticesOf(project: string, files: readonly string[]): string {
  const licence = existsSync(join(project, 'LICENSE')) ? [readFileSync(join(project, 'LICENSE'), 'utf8').trim()] : [];
  const notices = thirdPartyNotices([...packagesOf(project, files), ...unpackagedOf(project, files)]);
  return [
    ...licence,
    'Parley contains work of others, under the licences below.',
    ...notices,
    ...crates(project, files),
  ]
    .join(`\n\n${rule}\n\n`)
    .concat('\n');
}

/** Returns a section for each text, with the names of all that have it. Throws if one must not be distributed. */
export function thirdPartyNotices(parts: readonly ThirdParty[]): string[] {
  for (const {name, licence, texts} of parts) {
    const refusal = `${name} cannot be part of Parley’s packages:`;
    if (licence === undefined) throw new Error(`${refusal} its package.json names no licence.`);
    if (!allowedLicences.has(licence)) {
      throw new Error(`${refusal} its licence ${licence} is not among ${[...allowedLicences].join(', ')}.`);
    }
    if (texts.length === 0) throw new Error(`${refusal} it has no licence file.`);
  }
  const rows = parts.flatMap((part) => part.texts.map((text) => ({title: title(part), text: plainText(text)})));
  return Array.from(
    Map.groupBy(rows, ({text}) => text),
    ([text, same]) => {
      const titles = new Set(same.map((row) => row.title));
      return `${[...titles].join('\n')}\n\n${text}`;
    },
  );
}

/** Adds a section at the end of notices. */
export function withSection(notices: string, heading: string, text: string): string {
  return `${notices}\n${rule}\n\n${heading}\n\n${plainText(text)}\n`;
}

function title({name, version, licence}: ThirdParty): string {
  return `${[name, version].filter(Boolean).join(' ')} (${licence})`;
}

/** Returns a text without the differences at the ends of lines that hide equal ones. */
function plainText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .replace(/^\n+/, '')
    .trimEnd();
}

/** Returns the packages of these files, sorted by name. */
export function packagesOf(project: string, files: readonly string[]): ThirdParty[] {
  const folderOf = (file: string) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
  const byFolder = Map.groupBy(new Set(files), folderOf);
  return Array.from(byFolder, ([folder, contained]) => (folder === undefined ? [] : [read(project, folder, contained)]))
    .flat()
    .sort((one, other) => (title(one) < title(other) ? -1 : 1));
}

function read(project: string, folder: string, files: readonly string[]): ThirdParty {
  const manifest: {name: string; version: string; license?: string; licenses?: readonly {readonly type: string}[]} =
    JSON.parse(readFileSync(join(project, folder, 'package.json'), 'utf8'));
  const {name, version} = manifest;
  // Old packages have a list.
  const license = manifest.license ?? manifest.licenses?.map(({type}) => type).join(' AND ');
  // A folder inside a package may have a licence of its own.
  const folders = new Set(files.flatMap((file) => foldersBetween(folder, dirname(file))));
  const licences = [...folders].sort().flatMap((each) =>
    readdirSync(join(project, each))
      .filter((file) => licenceFile.test(file))
      .map((file) => readFileSync(join(project, each, file), 'utf8')),
  );
  return {name, version, licence: license, texts: [...licences, ...commentsOf(project, files)]};
}

function foldersBetween(top: string, folder: string): string[] {
  return folder === top ? [top] : [...foldersBetween(top, dirname(folder)), folder];
}

/** Returns the licences in comments: some packages contain files that were copied from elsewhere. */
function commentsOf(project: string, files: readonly string[]): string[] {
  return files
    .filter((file) => /\.[cm]?js$/.test(file))
    .flatMap((file) => readFileSync(join(project, file), 'utf8').match(/\/\*.*?\*\//gs) ?? [])
    .filter((comment) => licenceText.test(comment))
    .map((comment) => comment.slice(2, -2).replaceAll(/^(?:!| \* ?)/gm, ''));
}

function unpackagedOf(project: string, files: readonly string[]): ThirdParty[] {
  return unpackaged
    .filter(({within}) => files.some((file) => file.startsWith(within)))
    .map((part) => ({...part, texts: [readFileSync(join(project, `assets/licences/${part.name}.txt`), 'utf8')]}));
}

/** Names the Rust crates that WebAssembly says it was compiled from. The package that contains it has no licences of them. */
function crates(project: string, files: readonly string[]): string[] {
  return files
    .filter((file) => file.endsWith('.wasm'))
    .map((file) => {
      const text = readFileSync(join(project, file), 'latin1');
      const names = new Set(Array.from(text.matchAll(/crates\.io-\w+\/([\w.-]+)/g), ([, name]) => name));
      const origin = `${file.replace(/.*node_modules\//, '')} was compiled from these Rust crates, among others.`;
      return `${origin}\nTheir licences are at https://crates.io; the package does not contain them.\n\n${[...names].sort().join('\n')}`;
    });
}
