import {printable} from '#std/printable.ts';
import {
  appendAtoms,
  atomsText,
  characterKind,
  fractionAtom,
  isOperatorLike,
  type MathAtom,
  rootAtom,
  withScripts,
} from './math-atom.ts';
import {
  alphabetCommands,
  functionNames,
  inAlphabet,
  texAccents,
  texIgnored,
  texLines,
  texSpaces,
  texSymbols,
  texWords,
} from './tex-symbols.ts';

/** Longer formulas are shown as their source: they are not readable on one line. */
const maxLength = 2000;

/**
 * Returns a TeX formula as one line of text with the same meaning (`x^2` → `x²`, `\frac{a+b}{c}` → `(a+b)/c`); undefined
 * when that is not possible: matrices, cases, several lines, unknown commands, errors.
 */
export function formulaText(tex: string): string | undefined {
  if (tex.length > maxLength || printable(tex) !== tex || /[\p{Cf}\p{Cn}\p{Co}]/u.test(tex)) return undefined;
  const parser = new TexParser(tex);
  const atoms = parser.parseFormula();
  if (parser.failed) return undefined;
  const text = atomsText(atoms, false);
  return text === '' ? undefined : text;
}

/** Returns an inline formula as readable text, or as its source when that is not possible. */
export function inlineFormula(tex: string, isAscii: boolean): string {
  return (isAscii ? undefined : formulaText(tex)) ?? `$$${tex}$$`;
}

/** Returns the lines of a block of formulas, with the blank lines between them. */
export function formulaLines(tex: string, isAscii: boolean): string[] {
  return tex.split('\n\n').flatMap((formula, index) => {
    const readable = isAscii ? undefined : formulaText(formula);
    const lines = readable?.split('\n') ?? formula.split('\n');
    return index === 0 ? lines : ['', ...lines];
  });
}

/** Each level of nesting reads its content once more, so this bounds the time to a multiple of the length. */
const maxDepth = 16;

const primes: readonly string[] = ['', '′', '″', '‴'];

/** Parses TeX into atoms. On anything that it cannot express it sets `failed`; the result is meaningless then. */
class TexParser {
  readonly #tex: string;
  #at = 0;
  #depth = 0;
  #unclosedLefts = 0;
  failed = false;

  constructor(tex: string) {
    this.#tex = tex;
  }

  parseFormula(): readonly MathAtom[] {
    const atoms = this.#list(undefined);
    if (this.#unclosedLefts !== 0) this.#fail();
    return atoms;
  }

  #fail(): readonly MathAtom[] {
    this.failed = true;
    this.#at = this.#tex.length;
    return [];
  }

  /** Parses up to and including `end`; undefined means the end of the formula. */
  #list(end: '}' | ']' | undefined): MathAtom[] {
    const atoms: MathAtom[] = [];
    this.#depth++;
    if (this.#depth > maxDepth) this.#fail();
    for (;;) {
      const character = this.#peek();
      if (character === end) break;
      if (character === undefined || character === '}') {
        this.#fail();
        break;
      }
      const isScript = character === '^' || character === '_' || character === "'";
      if (isScript) atoms.push(this.#scripts(atoms.pop()));
      else appendAtoms(atoms, this.#atom());
    }
    this.#next();
    this.#depth--;
    return atoms;
  }

  /** Returns the next character that is not white space, without consuming it. */
  #peek(): string | undefined {
    while (/\s/.test(this.#tex[this.#at] ?? '')) this.#at++;
    const code = this.#tex.codePointAt(this.#at);
    return code === undefined ? undefined : String.fromCodePoint(code);
  }

  #next(): string | undefined {
    const character = this.#peek();
    this.#at += character?.length ?? 0;
    return character;
  }

  #atom(): readonly MathAtom[] {
    const character = this.#next();
    if (character === undefined || '&%#$^_}'.includes(character)) return this.#fail();
    if (character === '\\') return this.#command(this.#commandName());
    if (character === '~') return [{kind: 'space', text: ' '}];
    if (character === '{') {
      const [only, ...more] = this.#list('}');
      if (only === undefined) return [];
      // An operator or a comma alone in braces is an ordinary character.
      return more.length === 0 ? [isOperatorLike(only) ? {...only, kind: 'letter'} : only] : [only, ...more];
    }
    if (character === ',' && this.#groupsThousands()) return [{kind: 'letter', text: ','}];
    if (character === '`') return [{kind: 'letter', text: '‘'}];
    if (/[0-9]/.test(character)) return [{kind: 'number', text: character}];
    return [{kind: characterKind(character), text: character}];
  }

  /** Returns whether the comma just consumed separates thousands, as in `1,000`. */
  #groupsThousands(): boolean {
    return (
      /[0-9]/.test(this.#tex[this.#at - 2] ?? '') && /^[0-9]{3}(?![0-9])/.test(this.#tex.slice(this.#at, this.#at + 4))
    );
  }

  #commandName(): string {
    const letters = /[A-Za-z]*/y;
    letters.lastIndex = this.#at;
    const name = letters.exec(this.#tex)?.[0] ?? '';
    if (name !== '') {
      this.#at += name.length;
      return name;
    }
    const code = this.#tex.codePointAt(this.#at);
    const mark = code === undefined ? '' : String.fromCodePoint(code);
    this.#at += mark.length;
    return mark;
  }

  #command(name: string): readonly MathAtom[] {
    const symbol = texSymbols.get(name);
    if (symbol !== undefined) return [symbol];
    const space = texSpaces.get(name);
    if (space !== undefined) return space === '' ? [] : [{kind: 'space', text: space}];
    if (texIgnored.has(name)) return [];
    if (functionNames.has(name)) return [{kind: 'function', text: name}];
    if (texWords.has(name)) {
      return [{kind: name === 'operatorname' ? 'function' : 'words', text: this.#words()}];
    }
    const alphabet = alphabetCommands.get(name);
    if (alphabet !== undefined) return [{kind: 'letter', text: inAlphabet(this.#tightArgument(), alphabet)}];
    const accent = texAccents.get(name);
    if (accent !== undefined) return this.#marked(accent, 1);
    const line = texLines.get(name);
    if (line !== undefined) return this.#marked(line, 20);
    return this.#construct(name);
  }

  #construct(name: string): readonly MathAtom[] {
    switch (name) {
      case 'frac':
      case 'dfrac':
      case 'tfrac':
      case 'cfrac':
        return [fractionAtom(this.#argument(), this.#argument())];
      case 'sqrt':
        return [rootAtom(this.#optional(), this.#argument())];
      case 'binom':
      case 'dbinom':
      case 'tbinom': {
        const over = this.#tightArgument();
        const under = this.#tightArgument();
        return [{kind: 'words', text: `(${over} choose ${under})`}];
      }
      case 'mathrm':
      case 'mathit':
      case 'mathsf':
      case 'mathtt':
      case 'mathnormal':
        return [{kind: 'words', text: this.#tightArgument()}];
      case 'bmod':
        return [{kind: 'binary', text: 'mod'}];
      case 'pmod':
        return [
          {kind: 'space', text: ' '},
          {kind: 'close', text: `(mod ${this.#tightArgument()})`},
        ];
      case 'not':
        return this.#negated();
      case 'left':
        this.#unclosedLefts++;
        return this.#delimiter('open');
      case 'right':
        if (--this.#unclosedLefts < 0) return this.#fail();
        return this.#delimiter('close');
      case 'middle':
        return this.#delimiter('letter');
      default:
        return this.#fail();
    }
  }

  #argument(): readonly MathAtom[] {
    const character = this.#peek();
    if (character === undefined || character === ']') return this.#fail();
    this.#depth++;
    const atoms = this.#depth > maxDepth ? this.#fail() : this.#atom();
    this.#depth--;
    return atoms.length === 0 ? this.#fail() : atoms;
  }

  #tightArgument(): string {
    return atomsText(this.#argument(), true);
  }

  #optional(): readonly MathAtom[] {
    if (this.#peek() !== '[') return [];
    this.#next();
    return this.#list(']');
  }

  /** Returns the text in braces as it is. */
  #words(): string {
    if (this.#next() !== '{') this.#fail();
    const end = this.#tex.indexOf('}', this.#at);
    const text = this.#tex.slice(this.#at, end);
    if (end < 0 || /[\\${]/.test(text)) this.#fail();
    else this.#at = end + 1;
    return text.replaceAll(/\s+/g, ' ');
  }

  #marked(mark: string, maxLength: number): readonly MathAtom[] {
    const characters = Array.from(this.#tightArgument());
    if (characters.length > maxLength || !characters.every((each) => /[\p{L}\p{N}]/u.test(each))) return this.#fail();
    return [{kind: 'letter', text: characters.map((each) => each + mark).join('')}];
  }

  #negated(): readonly MathAtom[] {
    const [relation, ...more] = this.#argument();
    if (relation?.kind !== 'relation' || more.length > 0) return this.#fail();
    return [{kind: 'relation', text: `${relation.text}\u0338`.normalize('NFC')}];
  }

  #delimiter(kind: 'open' | 'close' | 'letter'): readonly MathAtom[] {
    const [atom] = this.#argument();
    if (atom === undefined) return [];
    if (atom.text === '.') return [];
    return Array.from(atom.text).length === 1 ? [{kind, text: atom.text}] : this.#fail();
  }

  #scripts(base: MathAtom | undefined): MathAtom {
    let [low, high]: (readonly MathAtom[] | undefined)[] = [undefined, undefined];
    for (;;) {
      const character = this.#peek();
      if (character === "'") {
        if (high !== undefined) this.#fail();
        high = [{kind: 'letter', text: this.#primes()}];
        if (this.#peek() !== '^') continue;
        this.#next();
        high = [...high, ...this.#argument()];
      } else if (character === '^') {
        this.#next();
        if (high !== undefined) this.#fail();
        high = this.#argument();
      } else if (character === '_') {
        this.#next();
        if (low !== undefined) this.#fail();
        low = this.#argument();
      } else break;
    }
    return withScripts(base, low, high);
  }

  #primes(): string {
    let count = 0;
    for (; this.#peek() === "'"; this.#next()) count++;
    return primes[count] ?? '′'.repeat(count);
  }
}
