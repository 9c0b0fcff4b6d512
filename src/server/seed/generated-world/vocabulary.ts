import type {Random} from '#std/random.ts';

/** Vocabulary of the generated worlds: invented, harmless, varied enough for search to have something to find. */
const text = {
  given: `Ada Bo Carla Dmitri Elif Femi Greta Hiro Ines Jonas Kaya Lior Mina Nils Oona Pablo Quinn Rosa Sami Tove Uma Viktor
    Wanda Xenia Yusuf Zoe Amara Bruno Chidi Dalia Emil Farah Goran Hana Ivo Jana Koji Lena Marek Noor Otto Priya Rafa Sofia
    Tariq Ulla Vera Wim Yara Zeno`,
  family: `Abe Berg Costa Diaz Eriksen Fischer Garcia Haddad Ito Jansen Kaya Lindqvist Moreau Nowak Okafor Petrov Quispe Rossi
    Sato Tanaka Usman Varga Weber Xu Yilmaz Zhang Alvarez Bakker Chen Dubois Endo Ferreira Gruber Horvat Ivanova Johansson
    Kowalski Larsen Mensah Novak Olsen Popescu Ramos Silva Tran Ueda Vidal Wang Yamada Zeman`,
  noun: `deploy build queue cache index schema ticket invoice shipment sensor battery display firmware driver socket packet
    router gateway cluster replica backup snapshot release branch review patch test fixture bench report chart table budget
    contract customer partner vendor meeting agenda note draft design mockup icon palette layout font screen window dialog
    button keyboard shortcut search filter thread topic channel message reply mention reaction emoji notification digest
    calendar holiday lunch coffee bicycle train garden kitchen whiteboard projector camera microphone headset cable adapter
    token secret key certificate account password session cookie header payload parser lexer compiler linter formatter`,
  verb: `fixed broke moved merged reverted shipped tested measured drafted reviewed approved rejected renamed deleted restored
    rotated migrated upgraded pinned unpinned documented explained sketched counted sorted traced profiled cached flushed
    scheduled postponed cancelled ordered returned unpacked labelled cleaned painted repaired borrowed`,
  adjective: `slow fast flaky stable green red quiet noisy empty full broken shiny odd even late early small large steep
    shallow fresh stale hidden visible public private remote local broad narrow bright dim warm cold`,
  place: `staging production Lisbon Osaka Nairobi Bergen Lima Hanoi the-lab the-warehouse the-office the-dashboard the-repo
    the-wiki`,
  rare: `zeugma quokka xylophone borborygmus petrichor gossamer defenestrate susurrus kerfuffle lollygag widdershins
    bumbershoot cattywampus taradiddle gobbledygook`,
};

type Kind = keyof typeof text;

const lists: Readonly<Record<Kind, readonly string[]>> = {
  given: split(text.given),
  family: split(text.family),
  noun: split(text.noun),
  verb: split(text.verb),
  adjective: split(text.adjective),
  place: split(text.place).map((place) => place.replaceAll('-', ' ')),
  rare: split(text.rare),
};

function split(words: string): string[] {
  return words.split(/\s+/);
}

export function word(random: Random, kind: Kind): string {
  return random.pick(lists[kind]) ?? kind;
}

export function personName(random: Random): string {
  return `${word(random, 'given')} ${word(random, 'family')}`;
}

export function topicName(random: Random): string {
  return random.next() < 0.5
    ? `${word(random, 'adjective')} ${word(random, 'noun')}`
    : `${word(random, 'noun')} in ${word(random, 'place')}`;
}

/** A chat line. One in forty has a list or code, one in a thousand a word worth searching for. */
export function chatLine(random: Random): string {
  const a = word(random, 'noun');
  const b = word(random, 'noun');
  const kind = random.below(40);
  if (kind === 0) return `\`\`\`\n${a}.${b}(${random.below(1000)})\n\`\`\``;
  if (kind === 1)
    return `Two things:\n- ${word(random, 'verb')} the ${a}\n- the ${b} is **${word(random, 'adjective')}**`;
  if (kind === 2) return `see https://docs.example.com/${a}/${b}`;
  if (kind < 12)
    return `is the ${word(random, 'adjective')} ${a} in ${word(random, 'place')} still ${word(random, 'adjective')}?`;
  if (kind < 22) return `I ${word(random, 'verb')} the ${a}, the ${b} comes next`;
  if (random.below(1000) === 0) return `what a ${word(random, 'rare')} of a ${a}`;
  return `${word(random, 'verb')} the ${word(random, 'adjective')} ${a} and the ${b} near ${word(random, 'place')}`;
}
