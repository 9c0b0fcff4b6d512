import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {parse, stringify} from 'smol-toml';
import {expect, test} from 'vitest';
import {changeSetting, withTomlValue} from '#config/change-setting.ts';
import {readSettings} from '#config/settings.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

function withFile(toml: string) {
  const directory = scratchDirectory();
  const file = join(directory, 'config.toml');
  writeFileSync(file, toml);
  return {directory, file, text: () => readFileSync(file, 'utf8')};
}

function changed(toml: string): string {
  const {directory, text} = withFile(toml);
  changeSetting(directory, 'theme', 'dark');
  expect(readSettings(directory, {}).settings.theme).toBe('dark');
  return text();
}

test('change setting: a value is replaced in place; comments, spaces and unknown settings stay', () => {
  const toml = `# mine
keep_messages = 5   # few

  theme   =  'light'  # for the day
colour = [ # unknown
  "red", # "theme = 1"
]
[notify]
# quiet
with = "bell"
`;
  expect(changed(toml)).toBe(toml.replace("'light'", '"dark"'));
});

test('change setting: a new value comes after the last one outside a table', () => {
  expect(changed('a = """\ntheme = 1\n"""\n# about notify\n[notify]\nwith = "bell"\n')).toBe(
    'a = """\ntheme = 1\n"""\ntheme = "dark"\n# about notify\n[notify]\nwith = "bell"\n',
  );
  expect(changed('mouse = true')).toBe('mouse = true\ntheme = "dark"\n');
  expect(changed('# only words\n')).toBe('# only words\ntheme = "dark"\n');
  expect(changed('')).toBe('theme = "dark"\n');
});

test('change setting: before the first table, a new value comes above the table’s comments', () => {
  expect(changed('# mine\n\n# about notify\n[notify]\nwith = "bell"\n')).toBe(
    '# mine\n\ntheme = "dark"\n\n# about notify\n[notify]\nwith = "bell"\n',
  );
  expect(changed('[notify]\n')).toBe('theme = "dark"\n\n[notify]\n');
});

test('change setting: the same name in a table is another setting', () => {
  expect(changed('[mine]\ntheme = "x"\n[[more]]\ntheme = 2\n')).toBe(
    'theme = "dark"\n\n[mine]\ntheme = "x"\n[[more]]\ntheme = 2\n',
  );
});

test('change setting: line ends are preserved', () => {
  expect(changed('mouse = true\r\n[notify]\r\n')).toBe('mouse = true\r\ntheme = "dark"\r\n[notify]\r\n');
});

test('change setting: a setting in a table is written there, however the table is spelt', () => {
  const notify = (toml: string) => {
    const {directory, text} = withFile(toml);
    changeSetting(directory, 'notifyWith', 'off');
    expect(readSettings(directory, {}).settings.notifyWith).toBe('off');
    return text();
  };
  expect(notify('[notify] # x\nshow = "text"\n\n[drafts]\n')).toBe(
    '[notify] # x\nshow = "text"\nwith = "off"\n\n[drafts]\n',
  );
  expect(notify('[notify]\n"with" = "bell"')).toBe('[notify]\n"with" = "off"');
  expect(notify('notify . with = "bell"')).toBe('notify . with = "off"');
  expect(notify('mouse = true\n')).toBe('mouse = true\nnotify.with = "off"\n');
  const inline = withFile('notify = {with = "bell"}\n');
  expect(() => changeSetting(inline.directory, 'notifyWith', 'off')).toThrow(/without touching other settings/);
  expect(inline.text()).toBe('notify = {with = "bell"}\n');
});

test('change setting: an unchanged value is not written', () => {
  const {directory, file} = withFile('theme = "dark"\n');
  const before = statSync(file).ino;
  changeSetting(directory, 'theme', 'dark');
  changeSetting(directory, 'mouse', false);
  expect(statSync(file).ino).toBe(before);
});

test('change setting: invalid TOML stays unchanged, and the error names the line', () => {
  const {directory, text} = withFile('mouse = true\ntheme = = 1\n');
  expect(() => changeSetting(directory, 'theme', 'dark')).toThrow(/config\.toml, line 2: /);
  expect(text()).toBe('mouse = true\ntheme = = 1\n');
});

test('change setting: a missing file is created, private to its owner', () => {
  const directory = join(scratchDirectory(), 'parley');
  changeSetting(directory, 'theme', 'dark');
  expect(statSync(join(directory, 'config.toml')).mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test.each([0o600, 0o640, 0o644])('change setting: the file mode %o is preserved', (mode) => {
  const {directory, file} = withFile('');
  chmodSync(file, mode);
  changeSetting(directory, 'theme', 'dark');
  expect(statSync(file).mode & 0o777).toBe(mode);
  expect(readdirSync(directory)).toEqual(['config.toml']);
});

test('change setting: a link stays a link, also one to a missing file', () => {
  const [directory, dotfiles] = [scratchDirectory(), scratchDirectory()];
  const link = join(directory, 'config.toml');
  symlinkSync(join(dotfiles, 'parley.toml'), link);
  changeSetting(directory, 'theme', 'dark');
  changeSetting(directory, 'mouse', true);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(dotfiles, 'parley.toml'), 'utf8')).toBe('theme = "dark"\nmouse = true\n');
});

test('change setting: an unreadable file is an error and not replaced', () => {
  const directory = scratchDirectory();
  mkdirSync(join(directory, 'config.toml'));
  expect(() => changeSetting(directory, 'theme', 'dark')).toThrow(/is a directory/);
});

const scalar = fc.oneof(
  fc.string({maxLength: 8}),
  fc.integer({min: -9999, max: 9999}),
  fc.boolean(),
  fc.constantFrom('# no', '[x]', 'theme = 1', '"', "'''", '"""', 'a\nb'),
);
const key = fc.constantFrom('a', 'b-c', 'theme', 'x y', 'é', 'mouse');
const value = fc.oneof(scalar, fc.array(scalar, {maxLength: 3}));
const table = fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value, {maxKeys: 2})), {maxKeys: 4});

test('change setting: for any file one value changes and everything else stays', () => {
  fc.assert(
    fc.property(table, fc.constantFrom('\n', '\n# x = 1\n', '  # "\n'), (said, end) => {
      const {theme: _other, ...rest} = said;
      const text = stringify(rest).replaceAll(/(?<=[\]\w])\n(?=[[\w])/g, end);
      fc.pre(parses(text));
      const once = withTomlValue(text, ['theme'], 'dark');
      expect(parse(once)).toEqual({...parse(text), theme: 'dark'});
      const twice = withTomlValue(once, ['theme'], 'light');
      expect(parse(twice)).toEqual({...parse(text), theme: 'light'});
      expect(twice.length).toBe(once.length + 'light'.length - 'dark'.length);
    }),
  );
});

function parses(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
