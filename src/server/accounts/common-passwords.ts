/** The words that people choose most often; see `isCommonPassword`. Lower case. */
const words = `
1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc a1b2c3d4 q1w2e3r4 q1w2e3r4t5
abcd abcdef abcdefg abcdefgh abcdefghij access admin administrator alexander amanda andrea andrew anthony asdf 
asdfgh asdfghjk asdfghjkl ashley azerty azertyuiop badboy barcelona baseball basketball batman benjamin buster
butterfly changeit changeme charlie chelsea chocolate christian computer cookie corvette cowboys daniel default dragon
dolphins elephant everton facebook football freedom friends ginger google hannah harley hello helloworld hockey hunter
iloveyou internet jennifer jessica jordan joshua justin killer letmein letmeinnow liverpool london login love lovely
maggie manchester marina maserati master matthew mercedes michael michelle midnight monkey mustang naruto
nicholas nothing operator owner parley pass passphrase passw passwd password pepper pokemon
princess qazwsx qazwsxedc qwer qwert qwerty qwertyui qwertyuiop ranger robert root samantha samsung secret
sesame shadow snoopy soccer spiderman starwars steelers sunshine superman superuser swordfish taylor temp
tempest temppassword test tester testing thomas thunder tigger trustno trustnoone user victoria warcraft
welcome welcometo whatever william winter wizard yankees zaq zaqxsw zulip zxcvbn zxcvbnm
`;

/** Rows of keys and of the alphabet: any part of one, in either direction, is easy to guess. */
const rows = [
  '01234567890',
  '1234567890qwertyuiop',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
];

/** Characters that stand for a letter, as in `p4ssw0rd`. */
const letterOf = new Map(
  ['@a', '4a', '3e', '1i', '!i', '0o', '$s', '5s', '7t'].map(([sign = '', letter = '']) => [sign, letter]),
);

/**
 * Returns whether a password is one of the most common ones: a word of the list, with other characters in the place of
 * letters or up to four digits and signs around it; a part of a row of keys; or one of these or a short text, repeated.
 */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase();
  const [, unit = text] = /^(.+?)\1+$/s.exec(text) ?? [];
  if (unit.length <= 4) return true;
  const known = new Set(words.trim().split(/\s+/));
  const bare = unit.replace(/^[^\p{L}]{1,4}(?=\p{L})/u, '');
  const candidates = [unit, bare].flatMap((each) => [each, each.replace(/[^\p{L}]{1,4}$/u, '')]);
  const isKnown = (word: string) =>
    known.has(word) || known.has(word.replaceAll(/[@$!\d]/g, (sign) => letterOf.get(sign) ?? sign));
  return candidates.some(isKnown) || rows.some((row) => isPartOf(row, text));
}

/** Whether the text goes along a row, forwards or backwards, from any key and from the start again. */
function isPartOf(row: string, text: string): boolean {
  const forwards = row.repeat(Math.ceil(text.length / row.length) + 1);
  return forwards.includes(text) || [...forwards].reverse().join('').includes(text);
}
