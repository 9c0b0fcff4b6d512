/**
 * The characters of several code points about whose width terminals disagree. One of each kind is measured in the terminal; the
 * others of the kind follow it. The first width is assumed where the terminal does not say.
 */
export const clusterKinds = {
  /** A picture with a skin tone: one picture, or the picture and the tone. */
  tone: {sample: '👍🏿', columns: [2, 4]},
  /** Joined pictures: one, or each by itself. */
  joined: {sample: '👨‍👩‍👧', columns: [2, 6]},
  /** U+FE0F makes a sign a picture, or changes nothing. */
  variation: {sample: '❤️', columns: [2, 1]},
  /** A conjunct of two consonants with a vowel beside them: each by itself, the vowel above the letters, or all in one. */
  conjunct: {sample: 'क्षि', columns: [3, 2, 1]},
  /** The letters of a Korean syllable: a syllable, or each by itself. */
  jamo: {sample: '\u1100\u1161\u11a8', columns: [2, 4]},
  /** A vowel sign that Unicode counts to the letter before it: beside the letter, or on it. */
  thai: {sample: 'กำ', columns: [2, 1]},
} as const satisfies Readonly<Record<string, {readonly sample: string; readonly columns: readonly number[]}>>;

export type ClusterKind = keyof typeof clusterKinds;
/** The columns of the samples in a terminal, as far as they are known. */
export type ClusterWidths = Readonly<Partial<Record<ClusterKind, number>>>;

/** Returns the widths that are not assumed anyway. */
export function unusualWidths(widths: ClusterWidths): ClusterWidths {
  const entries = Object.entries(widths).filter(([kind, own]) => own !== clusterKinds[kind as ClusterKind].columns[0]);
  return Object.fromEntries(entries);
}

/** Returns the widths after a sample was measured; the same when the number is none that a terminal counts. */
export function withClusterWidth(widths: ClusterWidths, kind: ClusterKind, columns: number): ClusterWidths {
  const known: readonly number[] = clusterKinds[kind].columns;
  return known.includes(columns) ? {...widths, [kind]: columns} : widths;
}
