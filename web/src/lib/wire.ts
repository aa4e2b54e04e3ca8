// What is said over the socket and by HTTP. Made from the types of the server; not written by hand:
// PUNTO_UPDATE=1 cargo test -p punto-server --test schema

/** Money that is in acceptors, or was taken out of one and is not counted. What a box should hold is not told to those who count it. */
export interface AcceptorsView {
  /** Acceptors that hold something, and how much; pit and auditor. */
  holding: [DeviceId, Money][];
  /** Boxes that wait to be counted. */
  uncounted: [DropNo, DeviceId][];
}

/** Something that was done to an account. */
export interface AccountChange {
  /** The entry of the house that says so. */
  entry: Seq;
  /** When. */
  at: Timestamp;
  /** What. */
  what: AccountDeed;
  /** By whom; the software itself, if by nobody. */
  by?: Person | null;
}

/** What was done to an account. */
export type AccountDeed =
  /** What the person is or may was changed, or they were invited to choose a password. */
  | {
      changed: {
        role: string;
        enabled: boolean;
        invited: boolean;
        reason?: string | null;
        /** Who agreed. */
        second?: Person | null;
      };
    }
  /** A password was chosen. */
  | "password-chosen"
  /** A second factor was set up. */
  | {
      "factor-enrolled": {
        /** Whether it took the place of another one, which was shown. */
        replaced: boolean;
      };
    }
  /** New recovery codes were made. */
  | "recovery-codes-made"
  /** Two people asked that the second factor be removed. */
  | { "factor-reset-begun": { second: Person; reason: string } }
  /** That was stopped. */
  | "factor-reset-stopped"
  /** The second factor was removed. */
  | "factor-reset";

/** Somebody's money at the table. */
export interface AccountView {
  patron: PatronNo;
  credits: Money;
  owed: Money;
  unclaimed: number;
  /** How much of what is kept can be paid now. */
  payable: Money;
  lost: boolean;
  away: boolean;
  /** From when on credits may be set aside, where there are any. */
  abandoned_at?: Timestamp | null;
  /** What a claim holds back, where one does. */
  held?: HoldView | null;
}

/** Who gives an order, and in which capacity. */
export type Actor =
  /** A patron, by the terminal or seat that speaks for them. */
  | { as: "patron"; patron: PatronNo }
  /** Floor staff in a post: Dealer to Table Games Shift Manager. */
  | { as: "staff"; person: Person; post: Post }
  /** Handles credits and tickets. */
  | { as: "cashier"; person: Person }
  /** Reads everything, changes nothing. */
  | { as: "auditor"; person: Person }
  /** Sets up tables, devices and staff; touches no money, makes no rulings. */
  | { as: "administrator"; person: Person }
  /** The table's own software: its clock, its card reader, its start-up. */
  | { as: "house" }
  /** A note acceptor, enrolled with the terminal of a patron. It says what it took, and nothing else. */
  | { as: "acceptor"; acceptor: DeviceId; patron: PatronNo };

/** An amount still owed for an earlier Round. */
export interface Adjustment {
  patron: PatronNo;
  owed: Owed;
  amount: Money;
}

/** Adopts the interpretations as shipped. */
export interface AdoptInterpretations {
  /** The digest of the text that was read, so that nobody adopts another. */
  digest: Digest;
  /** Who signs as well. */
  second: string;
}

/** From where on. */
export interface After {
  /** The last entry that is known already. */
  after?: number;
  /** How many at most. */
  limit?: number;
}

/** The place of an entry: its number in its volume, and its link in the chain, which no other entry has. */
export interface Anchor {
  seq: Seq;
  link: Digest;
}

/** Limits that were announced, and from when they apply. */
export interface Announced {
  /** Minimum and Differential of a box. */
  betting_box: BoxLimits | null;
  /** Minimum and maximum of every bet that has a range. */
  bets: Record<string, Range>;
  /** They apply from the first Round that commences at this time or later. */
  from: Timestamp;
}

/** What became of an order. */
export type Answer =
  /** It was carried out; the entry is durable. */
  | { done: Seq }
  /** It had been carried out before, by this entry. */
  | { before: Seq }
  /** The rules or the moment do not allow it. */
  | { refused: Rejection }
  /** It is not for this screen to order, or nobody approved of it. It did not reach the table. */
  | { denied: Denial }
  /** Too much is waiting. It did not reach the table; say it again, with the same id. */
  | "busy"
  /** The ledger failed: whether it was carried out is known when the table is back. Say it again, with the same id. */
  | "unknown";

/** Answers for one order. */
export interface Approve {
  /** What is signed. */
  pending: string;
  /** Who signs: whoever is signed in, or somebody else who has come to the screen. */
  person: string;
  /** Their password. */
  password: string;
  /** The code of their second factor, or a recovery code. Whoever signs in a session of their own, or has no second factor, needs none. */
  code?: string | null;
}

/** An order that waited for signatures and has them. */
export interface Approved {
  /** The order, exactly as it was signed. */
  order: Order;
  /** What release 0.1.0 took instead. It is read, and good for nothing any more. */
  approvals?: string[];
  /** Under which name it waited. */
  pending?: string | null;
}

/** Where a volume stood when it was archived, and what it is continued from. */
export interface ArchivedHead {
  volume: Volume;
  seq: Seq;
  link: Digest;
  /** The digest of the table's snapshot there. */
  snapshot?: Digest | null;
}

export interface Ask {
  B: "r" | "b" | "";
  P: "r" | "b" | "";
}

/** How the audit of the whole record stands. */
export interface Audited {
  /** How many entries it read. */
  entries: number;
  /** What it found. */
  findings: number;
  /** When the last one ended; none before the first. */
  at?: Timestamp | null;
  /** Entries read so far by the one that is under way. */
  reading?: number | null;
}

export interface Bead {
  n: number;
  col: number;
  row: number;
  o: "B" | "P" | "T";
  bp: boolean;
  pp: boolean;
  nat: boolean;
}

/** The line of the Table of Play that decides. */
export type BecauseWord =
  /** A Natural: neither Hand draws. */
  | "natural"
  /** Its own two cards. */
  | "own-total"
  /** The Player Hand stood. */
  | "player-stood"
  /** Its own two cards against the Player's third. */
  | "against-third";

/** A bet's name on the wire and on the command line, such as `big-tiger`. */
export type BetId = string;

/** A bet that the layout offers. */
export interface BetView {
  bet: BetId;
  label: Label;
  cite: Cite;
  side: Side | null;
  range: Range | null;
}

export interface BigRoad {
  depths: number[];
  first: "B" | "P" | null;
  cells: BigRoadMark[];
}

export interface BigRoadMark {
  col: number;
  row: number;
  logical_col: number;
  logical_row: number;
  o: "B" | "P";
  n: number;
  ties: number;
  bp: boolean;
  pp: boolean;
  nat: boolean;
  /** Ties before the first win belong to its mark. */
  ties_before?: number | null;
}

/** The limits of a betting box (5.1, 5.2). */
export interface BoxLimits {
  /** The least a patron may have on Player or on Banker in a box. */
  minimum: Money;
  /** The most by which one side of a box may outweigh the other. */
  differential: Money;
}

/** A betting box of the layout. */
export type BoxNo = number;

/** How many cards are burnt before the first Round. */
export type Burn =
  /** A fixed number. */
  | { fixed: number }
  /** The first card is turned over and burnt, then as many as it shows: Ace 1, 10 and pictures 10. */
  | "by-first-card";

/** One card of a deck of 52: rank and suit, ten is `T`. */
export type Card = string;

/** Where the cards come from (interpretation 7). */
export type CardDevice =
  /** A shoe that is dealt down to its cut card. */
  | "shoe"
  /** A shuffler that hands out a whole set at a time. */
  | "batch-shuffler"
  /** A shuffler that takes used cards back at once: no depth, no cut card. */
  | "continuous-shuffler";

/** A set of cards, as its box is labelled. */
export type CardSet = string;

/** A card on the felt. */
export interface CardView {
  card: Seen;
  side: Side | null;
}

/** What the cards are. */
export type Cards =
  /** Real ones, read by a device or keyed. */
  | "real"
  /** Software's, committed to before the first Round. */
  | "software";

/** A case of a note or a ticket at a terminal, counted at one table. */
export type CaseNo = number;

/** How a case ended. */
export type CaseOutcome =
  /** The note is in the box: its value was added to the credits. */
  | { outcome: "credited"; amount: Money }
  /** The note is in the box: its value was paid by hand at the cage. */
  | { outcome: "paid"; amount: Money }
  /** The note or the ticket itself was handed to the patron. */
  | { outcome: "handed-over" }
  /** Nothing was found, or nobody was there; a ticket stays good. */
  | { outcome: "nothing" };

/** What happened to a note or a ticket at a terminal. */
export type CaseReport =
  /** A note is in the acceptor and was not credited. */
  | {
      case: "note-not-credited";
      acceptor: DeviceId;
      words: string;
      /** Its value, where the acceptor read it. */
      amount?: Money | null;
    }
  /** A ticket was printed and not taken. */
  | { case: "ticket-not-taken"; ticket: TicketNo };

/** A note that was not credited or a ticket that nobody took, which waits for somebody. */
export interface CaseView {
  case: CaseNo;
  patron: PatronNo;
  report: CaseReport;
}

/** What interrupts play. */
export type Cause =
  | "power" | "software" | "device" | "fire" | "medical-emergency" | "evacuation" | "other"
  /** The order of the software shoe in use is lost; only the house itself can say so. */
  | "shoe-lost";

/** What a correction does to one patron: a compensating entry. */
export interface Change {
  patron: PatronNo;
  /** Paid now. */
  paid: Money;
  /** Taken from credits. */
  taken: Money;
  /** What could not be taken. */
  uncollected: Money;
  /** Taken off what the patron still owed, instead of being paid. */
  cancelled?: Money;
  /** Taken from their payout of that Round, which is held. */
  from_held?: Money;
  /** Taken from what is kept for them. */
  from_unclaimed?: Money;
}

/** Changes what somebody is or may. What is left out stays. */
export interface ChangeOf {
  /** Who. */
  person: string;
  /** Whether they may come in. */
  enabled?: boolean | null;
  /** A new invitation. All sessions end; the password stays good until another one is chosen. */
  invite?: boolean;
  /** Another name. */
  name?: string | null;
  /** Another role. All sessions end. */
  role?: Role | null;
}

/** Names a witness, changes where it is or its key, or takes it out of use. */
export interface ChangeWitness {
  /** Which. */
  witness: WitnessName;
  /** `folder:/PATH`, `http://HOST…` or `https://HOST…`. */
  address: string;
  /** Whether it is in use. */
  in_use: boolean;
  /** Who agrees: another Administrator, or a Table Games Shift Manager or above. */
  second: string;
  /** Why. */
  reason: string;
  /** The key that it signs with, `NAME+ID+KEY`; a folder has none. */
  key?: string | null;
}

/** The options of 5.13 (5.12). */
export type Choice =
  /** Go on with the hand as ruled. */
  | "continue"
  /** Have every bet of the Round back. */
  | "take-back";

/** Chooses a password by an invitation, which is used up by it. */
export interface Choose {
  /** The secret of the link. */
  invitation: string;
  /** At least 12 characters. */
  password: string;
  /** The code that the second person holds, where two people answer for the invitation. */
  code?: string | null;
}

/** Where the approved document says it: one or more paragraphs, `1.23, 4.1.2`. */
export type Cite = string;

/** Says that what was found in the register was looked into. Its rows are made again from the deeds; the people concerned are invited again. */
export interface ClearRegister {
  /** The entry of the house that says what was found last. */
  failed: Seq;
  /** Who agrees: another Administrator, or a Table Games Shift Manager or above. */
  second: string;
  /** What was found out. */
  reason: string;
}

/** The colour of a mark in a derived road; it says nothing about a side. */
export type Colour =
  /** The streaks repeat themselves. */
  | "r"
  /** They do not. */
  | "b";

/** What is asked of a table. */
export type Command =
  /** Opens the table with these settings and this rule book; in a house a second person agrees. */
  | { do: "open-table"; settings: Settings; rulebook: string; second?: Person | null }
  /** Changes settings between Rounds while no credits stand on a terminal; in a house a second person agrees to those that touch rights. */
  | { do: "change-settings"; settings: Settings; rulebook: string; second?: Person | null }
  /** Announces other limits. What is not named stays as it is. */
  | {
      do: "change-limits";
      bets?: Record<string, Range>;
      betting_box?: BoxLimits | null;
      /** For every bet with a range that is not named there. */
      other_bets?: Range | null;
    }
  /** Announces that the next Round is the last. */
  | { do: "announce-closing" }
  /** Closes the table. */
  | { do: "close-table" }
  /** Puts a set of cards to use. */
  | { do: "load-shoe"; card_set: CardSet; commitment?: Digest | null; shuffled_by?: Person | null }
  /** Inspects the set: what is missing, what is too many. */
  | { do: "inspect-cards"; extra?: Card[]; missing?: Card[] }
  /** Cuts the cards. */
  | { do: "cut-cards"; at: number }
  /** Burns cards; `shown` is the first one where it is turned over. */
  | { do: "burn-cards"; count: number; shown?: Card | null }
  /** Takes the set out of use. */
  | { do: "retire-shoe"; reason: string }
  /** Takes the set out of use and puts another in its place. */
  | {
      do: "exchange-shoe";
      card_set: CardSet;
      reason: string;
      commitment?: Digest | null;
      shuffled_by?: Person | null;
    }
  /** Counts a retired set: what is left in the shoe, and what was burnt or discarded without being recorded. */
  | { do: "reconcile-shoe"; shoe: ShoeNo; left: Composition; discarded: Composition }
  /** Reveals the order of a retired software shoe. */
  | { do: "reveal-shoe"; shoe: ShoeNo; salt: string; cards: Card[] }
  /** Decides whether carried cards that already establish a bet are used or discarded. */
  | { do: "rule-carried-cards"; keep: boolean; reason: string }
  /** "Place your Bets, please." */
  | { do: "open-bets" }
  /** "No more Bets." */
  | { do: "close-bets" }
  /** Places a wager, or raises one. Who sits at the box is Seated; a `stance` that says otherwise is refused. */
  | {
      do: "place-wager";
      patron: PatronNo;
      bet: BetId;
      stake: Money;
      box?: BoxNo | null;
      stance?: Stance | null;
    }
  /** Takes a wager back, or a part of it. */
  | { do: "withdraw-wager"; patron: PatronNo; bet: BetId; amount?: Money | null; box?: BoxNo | null }
  /** Records what lies on the felt: the whole stake of a patron on a bet in a box; nothing if it is gone. */
  | { do: "record-chips"; patron: PatronNo; box: BoxNo; bet: BetId; stake: Money; stance?: Stance | null }
  /** Rejects what takes a box over the Differential on a table that observes. */
  | { do: "reject-excess"; box: BoxNo }
  /** Tells a patron that a bet is outside its limits and may be raised or withdrawn (5.2), on a table that observes. */
  | { do: "advise"; patron: PatronNo; box: BoxNo; bet: BetId }
  /** Amends the record to what lay on the felt at close. After the first card, until the next Round commences, with a recording that shows it and a second person. */
  | {
      do: "amend-wager";
      patron: PatronNo;
      box: BoxNo;
      bet: BetId;
      stake: Money;
      reason: string;
      second?: Person | null;
      second_post?: Post | null;
      stance?: Stance | null;
      surveillance?: string | null;
    }
  /** Asks to squeeze a card, counted from 1 in drawing order. */
  | { do: "ask-squeeze"; patron: PatronNo; card: number }
  /** Hands the cards of a Hand to a person, who looks at them first. */
  | { do: "hand-cards"; side: Side; patron: PatronNo }
  /** Grants the squeeze, or not. */
  | { do: "grant-squeeze"; patron: PatronNo; card: number; grant: boolean }
  /** A card left the shoe; `to` where it was put, if that was noticed. */
  | { do: "draw-card"; card: Seen; source: Source; to?: Side | null }
  /** Says what it is that could not be read. */
  | { do: "read-card"; card: Seen }
  /** A card was keyed wrongly: which, counted from 1 in drawing order, what was keyed and what it is. */
  | { do: "correct-card"; at: number; was: Card; card: Card }
  /** Turns cards face up; all if none are named. */
  | { do: "turn-cards"; cards?: number[] }
  /** After an interruption: all cards that are out, in drawing order; `second` is the Dealer who confirms them too. */
  | { do: "confirm-cards"; cards: Card[]; second?: Person | null }
  /** Confirms the result, which settles the Round. */
  | { do: "confirm-result" }
  /** Reports an irregularity. */
  | { do: "report"; report: Report }
  /** Rules on a matter. */
  | {
      do: "rule";
      matter: MatterNo;
      ruling: Ruling;
      reason: string;
      /** The interpretation that a Shift Manager or above departs from in this case. */
      departs?: number | null;
      replace_shoe?: boolean;
      second?: Person | null;
      /** In which post the second person agrees; from any pit, or remotely. */
      second_post?: Post | null;
    }
  /** Continues, or takes the bets back. */
  | { do: "choose"; patron: PatronNo; choice: Choice }
  /** Ends the time for choices. */
  | { do: "close-choices" }
  /** Credits bought. */
  | { do: "buy-credits"; patron: PatronNo; amount: Money }
  /** A note in an acceptor becomes credits. */
  | { do: "accept-note"; patron: PatronNo; amount: Money }
  /** A note that was not credited, or a ticket that nobody took. */
  | { do: "report-case"; patron: PatronNo; report: CaseReport }
  /** Puts a case right. */
  | { do: "settle-case"; case: CaseNo; outcome: CaseOutcome; reason: string; second?: Person | null }
  /** Takes the box out of an acceptor. */
  | { do: "empty-acceptor"; acceptor: DeviceId; second?: Person | null }
  /** Counts a box that was taken out. */
  | { do: "count-acceptor"; drop: DropNo; counted: Money; second?: Person | null }
  /** Credits by ticket. */
  | { do: "redeem-ticket"; patron: PatronNo; ticket: TicketNo }
  /** All credits out, as a ticket. */
  | {
      do: "cash-out";
      patron: PatronNo;
      /** Who attends, where a Cashier does it for the patron. */
      second?: Person | null;
    }
  /** Collects what a correction could not take back. */
  | { do: "collect"; patron: PatronNo; amount: Money; second?: Person | null }
  /** What the Dealer really pushed to a patron, stakes included, where it was not what was settled; as counted on the recording that is named. After the next Round commenced a second person agrees. */
  | {
      do: "record-push";
      round: RoundNo;
      patron: PatronNo;
      counted: Money;
      surveillance: string;
      second?: Person | null;
      second_post?: Post | null;
    }
  /** Somebody who may not play has a bet in the Round: it stands, and whatever it gives is held until two people decide. The reference is that of Compliance. */
  | { do: "hold-payout"; patron: PatronNo; reference: string }
  /** Decides what becomes of a held payout. */
  | {
      do: "decide-held";
      slip: SlipNo;
      outcome: HeldOutcome;
      reference: string;
      second?: Person | null;
      second_post?: Post | null;
    }
  /** Extends by a day the time for which a claim holds back money. */
  | { do: "extend-hold"; matter: MatterNo; reason: string }
  /** Credits that nobody plays with any more are set aside for the patron; the attendant is at the terminal and agrees. */
  | { do: "keep-unclaimed"; patron: PatronNo; attendant?: Person | null }
  /** Reviews credits that were set aside. */
  | { do: "review-set-aside"; slip: SlipNo; reason: string }
  /** Pays out what was unclaimed. */
  | { do: "pay-unclaimed"; patron: PatronNo; amount: Money; second?: Person | null }
  /** Chips in the tray when the table opens. */
  | { do: "open-float"; amount: Money; second?: Person | null }
  /** Chips counted when the table closes. */
  | { do: "close-float"; counted: Money; second?: Person | null }
  /** Chips from the cage. */
  | { do: "fill"; amount: Money; slip: string; second?: Person | null }
  /** Chips to the cage. */
  | { do: "credit"; amount: Money; slip: string; second?: Person | null }
  /** Covers the float: nobody is at the table. */
  | { do: "cover-float"; cause: Cause }
  /** Uncovers it: a Pit Supervisor or above, and the Dealer who agrees that it is as it was left. */
  | { do: "uncover-float"; second?: Person | null }
  /** Cash into the drop box, chips to a patron. In a house a second person has counted the cash as well. */
  | { do: "drop"; amount: Money; second?: Person | null }
  /** A patron sits down at a box; without a number, one whom the table does not know yet. */
  | { do: "take-seat"; box: BoxNo; patron?: PatronNo | null }
  /** The one who sits at a box gets up. */
  | { do: "leave-seat"; box: BoxNo }
  /** A terminal can no longer be reached. */
  | { do: "lose-terminal"; patron: PatronNo }
  /** A terminal is back. */
  | { do: "restore-terminal"; patron: PatronNo }
  /** Opens a dispute. */
  | {
      do: "open-dispute";
      words: string;
      /** What it is about; the wagers are then kept as the record has them now. */
      about?: DisputeAbout | null;
      /** A box beside those in which the patron has wagers. */
      box?: BoxNo | null;
      patron?: PatronNo | null;
      round?: RoundNo | null;
    }
  /** Bundles what the record says for a dispute. */
  | { do: "bundle-dispute"; dispute: DisputeNo; digest: Digest }
  /** A Pit Supervisor or above has seen a dispute; with the reference of a recording, that it was spoken before the next Round commenced although it was recorded later. */
  | { do: "see-dispute"; dispute: DisputeNo; surveillance?: string | null }
  /** Closes a dispute: what was decided, and the matter by which money moved, if any did. */
  | { do: "close-dispute"; dispute: DisputeNo; words: string; matter?: MatterNo | null }
  /** Somebody takes a post at the table. */
  | { do: "take-post"; person: Person; post: Post }
  /** Somebody leaves a post. */
  | { do: "leave-post"; person: Person; post: Post }
  /** A shift begins. */
  | { do: "start-shift"; name: ShiftName }
  /** The clock jumped. */
  | { do: "note-clock"; from: Timestamp; to: Timestamp };

/** The kinds of commands: what posts are checked by, and what a view offers. */
export const CommandKind = ["open-table", "change-settings", "change-limits", "announce-closing", "close-table", "load-shoe", "inspect-cards", "cut-cards", "burn-cards", "retire-shoe", "exchange-shoe", "reconcile-shoe", "reveal-shoe", "rule-carried-cards", "open-bets", "close-bets", "place-wager", "withdraw-wager", "record-chips", "reject-excess", "advise", "amend-wager", "ask-squeeze", "hand-cards", "grant-squeeze", "draw-card", "read-card", "correct-card", "turn-cards", "confirm-cards", "confirm-result", "report", "rule", "choose", "close-choices", "buy-credits", "accept-note", "report-case", "settle-case", "empty-acceptor", "count-acceptor", "redeem-ticket", "cash-out", "collect", "record-push", "hold-payout", "decide-held", "extend-hold", "keep-unclaimed", "review-set-aside", "pay-unclaimed", "open-float", "close-float", "fill", "credit", "cover-float", "uncover-float", "drop", "take-seat", "leave-seat", "lose-terminal", "restore-terminal", "open-dispute", "bundle-dispute", "see-dispute", "close-dispute", "take-post", "leave-post", "start-shift", "note-clock"] as const;
export type CommandKind = (typeof CommandKind)[number];

/** What is asked of a table. */
export type CommandTold =
  /** Opens the table with these settings and this rule book; in a house a second person agrees. */
  | { do: "open-table"; settings: SettingsTold; rulebook: string; second?: Person | null }
  /** Changes settings between Rounds while no credits stand on a terminal; in a house a second person agrees to those that touch rights. */
  | { do: "change-settings"; settings: SettingsTold; rulebook: string; second?: Person | null }
  /** Announces other limits. What is not named stays as it is. */
  | {
      do: "change-limits";
      bets?: Record<string, Range>;
      betting_box?: BoxLimits | null;
      /** For every bet with a range that is not named there. */
      other_bets?: Range | null;
    }
  /** Announces that the next Round is the last. */
  | { do: "announce-closing" }
  /** Closes the table. */
  | { do: "close-table" }
  /** Puts a set of cards to use. */
  | { do: "load-shoe"; card_set: CardSet; shuffled_by: Person | null; commitment: Digest | null }
  /** Inspects the set: what is missing, what is too many. */
  | { do: "inspect-cards"; missing: Card[]; extra: Card[] }
  /** Cuts the cards. */
  | { do: "cut-cards"; at: number }
  /** Burns cards; `shown` is the first one where it is turned over. */
  | { do: "burn-cards"; shown: Card | null; count: number }
  /** Takes the set out of use. */
  | { do: "retire-shoe"; reason: string }
  /** Takes the set out of use and puts another in its place. */
  | {
      do: "exchange-shoe";
      card_set: CardSet;
      shuffled_by: Person | null;
      commitment: Digest | null;
      reason: string;
    }
  /** Counts a retired set: what is left in the shoe, and what was burnt or discarded without being recorded. */
  | { do: "reconcile-shoe"; shoe: ShoeNo; left: Composition; discarded: Composition }
  /** Reveals the order of a retired software shoe. */
  | { do: "reveal-shoe"; shoe: ShoeNo; salt: string; cards: Card[] }
  /** Decides whether carried cards that already establish a bet are used or discarded. */
  | { do: "rule-carried-cards"; keep: boolean; reason: string }
  /** "Place your Bets, please." */
  | { do: "open-bets" }
  /** "No more Bets." */
  | { do: "close-bets" }
  /** Places a wager, or raises one. Who sits at the box is Seated; a `stance` that says otherwise is refused. */
  | {
      do: "place-wager";
      patron: PatronNo;
      bet: BetId;
      stake: Money;
      box?: BoxNo | null;
      stance?: Stance | null;
    }
  /** Takes a wager back, or a part of it. */
  | { do: "withdraw-wager"; patron: PatronNo; bet: BetId; amount: Money | null; box?: BoxNo | null }
  /** Records what lies on the felt: the whole stake of a patron on a bet in a box; nothing if it is gone. */
  | { do: "record-chips"; patron: PatronNo; box: BoxNo; bet: BetId; stake: Money; stance?: Stance | null }
  /** Rejects what takes a box over the Differential on a table that observes. */
  | { do: "reject-excess"; box: BoxNo }
  /** Tells a patron that a bet is outside its limits and may be raised or withdrawn (5.2), on a table that observes. */
  | { do: "advise"; patron: PatronNo; box: BoxNo; bet: BetId }
  /** Amends the record to what lay on the felt at close. After the first card, until the next Round commences, with a recording that shows it and a second person. */
  | {
      do: "amend-wager";
      patron: PatronNo;
      box: BoxNo;
      bet: BetId;
      stake: Money;
      reason: string;
      second?: Person | null;
      second_post?: Post | null;
      stance?: Stance | null;
      surveillance?: string | null;
    }
  /** Asks to squeeze a card, counted from 1 in drawing order. */
  | { do: "ask-squeeze"; patron: PatronNo; card: number }
  /** Hands the cards of a Hand to a person, who looks at them first. */
  | { do: "hand-cards"; side: Side; patron: PatronNo }
  /** Grants the squeeze, or not. */
  | { do: "grant-squeeze"; patron: PatronNo; card: number; grant: boolean }
  /** A card left the shoe; `to` where it was put, if that was noticed. */
  | { do: "draw-card"; card: Seen; source: Source; to: Side | null }
  /** Says what it is that could not be read. */
  | { do: "read-card"; card: Seen }
  /** A card was keyed wrongly: which, counted from 1 in drawing order, what was keyed and what it is. */
  | { do: "correct-card"; at: number; was: Card; card: Card }
  /** Turns cards face up; all if none are named. */
  | { do: "turn-cards"; cards: number[] }
  /** After an interruption: all cards that are out, in drawing order; `second` is the Dealer who confirms them too. */
  | { do: "confirm-cards"; cards: Card[]; second?: Person | null }
  /** Confirms the result, which settles the Round. */
  | { do: "confirm-result" }
  /** Reports an irregularity. */
  | { do: "report"; report: ReportTold }
  /** Rules on a matter. */
  | {
      do: "rule";
      matter: MatterNo;
      ruling: Ruling;
      replace_shoe: boolean;
      reason: string;
      second: Person | null;
      /** The interpretation that a Shift Manager or above departs from in this case. */
      departs?: number | null;
      /** In which post the second person agrees; from any pit, or remotely. */
      second_post?: Post | null;
    }
  /** Continues, or takes the bets back. */
  | { do: "choose"; patron: PatronNo; choice: Choice }
  /** Ends the time for choices. */
  | { do: "close-choices" }
  /** Credits bought. */
  | { do: "buy-credits"; patron: PatronNo; amount: Money }
  /** A note in an acceptor becomes credits. */
  | { do: "accept-note"; patron: PatronNo; amount: Money }
  /** A note that was not credited, or a ticket that nobody took. */
  | { do: "report-case"; patron: PatronNo; report: CaseReport }
  /** Puts a case right. */
  | { do: "settle-case"; case: CaseNo; outcome: CaseOutcome; reason: string; second?: Person | null }
  /** Takes the box out of an acceptor. */
  | { do: "empty-acceptor"; acceptor: DeviceId; second?: Person | null }
  /** Counts a box that was taken out. */
  | { do: "count-acceptor"; drop: DropNo; counted: Money; second?: Person | null }
  /** Credits by ticket. */
  | { do: "redeem-ticket"; patron: PatronNo; ticket: TicketNo }
  /** All credits out, as a ticket. */
  | {
      do: "cash-out";
      patron: PatronNo;
      /** Who attends, where a Cashier does it for the patron. */
      second?: Person | null;
    }
  /** Collects what a correction could not take back. */
  | { do: "collect"; patron: PatronNo; amount: Money; second?: Person | null }
  /** What the Dealer really pushed to a patron, stakes included, where it was not what was settled; as counted on the recording that is named. After the next Round commenced a second person agrees. */
  | {
      do: "record-push";
      round: RoundNo;
      patron: PatronNo;
      counted: Money;
      surveillance: string;
      second?: Person | null;
      second_post?: Post | null;
    }
  /** Somebody who may not play has a bet in the Round: it stands, and whatever it gives is held until two people decide. The reference is that of Compliance. */
  | { do: "hold-payout"; patron: PatronNo; reference: string }
  /** Decides what becomes of a held payout. */
  | {
      do: "decide-held";
      slip: SlipNo;
      outcome: HeldOutcome;
      reference: string;
      second?: Person | null;
      second_post?: Post | null;
    }
  /** Extends by a day the time for which a claim holds back money. */
  | { do: "extend-hold"; matter: MatterNo; reason: string }
  /** Credits that nobody plays with any more are set aside for the patron; the attendant is at the terminal and agrees. */
  | { do: "keep-unclaimed"; patron: PatronNo; attendant?: Person | null }
  /** Reviews credits that were set aside. */
  | { do: "review-set-aside"; slip: SlipNo; reason: string }
  /** Pays out what was unclaimed. */
  | { do: "pay-unclaimed"; patron: PatronNo; amount: Money; second?: Person | null }
  /** Chips in the tray when the table opens. */
  | { do: "open-float"; amount: Money; second?: Person | null }
  /** Chips counted when the table closes. */
  | { do: "close-float"; counted: Money; second?: Person | null }
  /** Chips from the cage. */
  | { do: "fill"; amount: Money; slip: string; second?: Person | null }
  /** Chips to the cage. */
  | { do: "credit"; amount: Money; slip: string; second?: Person | null }
  /** Covers the float: nobody is at the table. */
  | { do: "cover-float"; cause: Cause }
  /** Uncovers it: a Pit Supervisor or above, and the Dealer who agrees that it is as it was left. */
  | { do: "uncover-float"; second?: Person | null }
  /** Cash into the drop box, chips to a patron. In a house a second person has counted the cash as well. */
  | { do: "drop"; amount: Money; second?: Person | null }
  /** A patron sits down at a box; without a number, one whom the table does not know yet. */
  | { do: "take-seat"; box: BoxNo; patron?: PatronNo | null }
  /** The one who sits at a box gets up. */
  | { do: "leave-seat"; box: BoxNo }
  /** A terminal can no longer be reached. */
  | { do: "lose-terminal"; patron: PatronNo }
  /** A terminal is back. */
  | { do: "restore-terminal"; patron: PatronNo }
  /** Opens a dispute. */
  | {
      do: "open-dispute";
      round: RoundNo | null;
      patron: PatronNo | null;
      words: string;
      /** What it is about; the wagers are then kept as the record has them now. */
      about?: DisputeAbout | null;
      /** A box beside those in which the patron has wagers. */
      box?: BoxNo | null;
    }
  /** Bundles what the record says for a dispute. */
  | { do: "bundle-dispute"; dispute: DisputeNo; digest: Digest }
  /** A Pit Supervisor or above has seen a dispute; with the reference of a recording, that it was spoken before the next Round commenced although it was recorded later. */
  | { do: "see-dispute"; dispute: DisputeNo; surveillance?: string | null }
  /** Closes a dispute: what was decided, and the matter by which money moved, if any did. */
  | { do: "close-dispute"; dispute: DisputeNo; words: string; matter?: MatterNo | null }
  /** Somebody takes a post at the table. */
  | { do: "take-post"; person: Person; post: Post }
  /** Somebody leaves a post. */
  | { do: "leave-post"; person: Person; post: Post }
  /** A shift begins. */
  | { do: "start-shift"; name: ShiftName }
  /** The clock jumped. */
  | { do: "note-clock"; from: Timestamp; to: Timestamp };

/** How many copies of each card there are. */
export type Composition = Record<string, number>;

/** Says that the system's clock is right although the recorded one did not follow it. */
export interface ConfirmClock {
  /** How far it is ahead, in milliseconds, as `/api/health` tells (`clock_ahead`). */
  ahead: number;
  /** Who agrees: another Administrator, or a Table Games Shift Manager or above. */
  second: string;
  /** How it was compared, and why it is so. */
  reason: string;
}

/** Another history than this ledger's, as a witness keeps it. */
export interface Contest {
  /** Which witness. */
  witness: WitnessName;
  /** Up to this entry it is known to be the same history; 0 where nothing is known. */
  from: number;
  /** Up to this entry the witness has it. */
  to: number;
  /** The root that it has there, where it told. */
  root?: Digest | null;
}

/** How often each outcome came. */
export interface Counters {
  /** Wins of each side. */
  wins: { player: number; banker: number };
  /** Ties. */
  ties: number;
  /** Rounds in which each side had a pair. */
  pairs: { player: number; banker: number };
  /** Rounds in which either Hand was a Natural. */
  naturals: number;
}

/** A currency, by its ISO 4217 code. Amounts are in its minor unit. */
export type Currency = string;

/** Whether a Hand draws a third card, and which line of the Table of Play says so. */
export interface DecisionView {
  /** The Hand. */
  side: Side;
  /** Whether it draws. */
  draws: boolean;
  /** The kind of line. */
  because: BecauseWord;
  /** The Point Total of its first two cards. */
  total: number;
  /** The value of the Player's third card, where that decides. */
  against: number | null;
  /** The paragraph. */
  cite: Cite;
}

/** Declares that what a witness has is lost: after a restored backup, or at a standby site. */
export interface DeclareLoss {
  /** Which witness. */
  witness: WitnessName;
  /** Up to which entry it has the other history, as `GET /api/witnesses` tells. */
  to: number;
  /** Who agrees: another Administrator, or a Table Games Shift Manager or above. */
  second: string;
  /** How it came to that. */
  reason: string;
}

/** What was done for the house. */
export type Deed =
  /** The first entry of every ledger. Its link in the chain is the name of the ledger. */
  | {
      deed: "ledger-founded";
      kind: LedgerKind;
      /** Something nobody can guess, so that no two ledgers begin alike. */
      nonce: Digest;
    }
  /** Checkpoints are signed with this key from now on. */
  | {
      deed: "key-adopted";
      key: PublicKey;
      /** The key before it, which vouches for this one by signing its 32 bytes. */
      before?: PublicKey | null;
      vouched?: string | null;
    }
  /** A ledger of the first release, which signed no commits, is signed for from here on. Its first `size` entries were taken as they were found. */
  | { deed: "commits-signed"; size: number }
  /** Numbers of new tickets are derived with this key from now on. The key itself is in no record. */
  | { deed: "ticket-key-adopted"; key: TicketKeyId; before?: TicketKeyId | null }
  /** Cash for a ticket, at the cage. A ticket that has expired takes a second person and a reason. */
  | {
      deed: "ticket-paid";
      ticket: TicketNo;
      amount: Money;
      /** That of the ticket; earlier builds did not name it. */
      currency?: Currency | null;
      reason?: string | null;
      second?: Person | null;
    }
  /** A ticket that nobody can redeem any more; it takes a second person. */
  | {
      deed: "ticket-voided";
      ticket: TicketNo;
      amount: Money;
      second: Person;
      reason: string;
      currency?: Currency | null;
    }
  /** The books of a table did not balance: it takes no order. */
  | { deed: "table-locked"; table: TableId; seq: Seq; words: string }
  /** It may be opened again; it takes a second person. */
  | { deed: "table-unlocked"; table: TableId; second: Person; reason: string }
  /** The system's clock was so many milliseconds ahead of the recorded one, which had not followed it so far, and was found to be right: the recorded one follows. It takes a second person. */
  | { deed: "clock-confirmed"; ahead: number; second: Person; reason: string }
  /** An authority approved a document for this operator, and two people compared our transcription of it (interpretation 33). A text is known by its digest, not by its name. */
  | {
      deed: "rules-approved";
      game: string;
      version: string;
      /** The digest of the rule book's text. */
      digest: Digest;
      authority: string;
      /** How the authority refers to its approval. */
      reference: string;
      operator: string;
      /** The document that was approved. */
      document: string;
      in_force: Moment;
      second: Person;
      /** What was compared, and how, as both sign it. */
      compared: string;
      /** Whether it expressly allows cards of software (interpretation 48). */
      software_cards?: boolean;
    }
  /** The approval of a text was withdrawn: no Round opens under it afterwards. */
  | { deed: "rules-withdrawn"; digest: Digest; at: Moment; second: Person; reason: string }
  /** The house adopted the interpretations of this software, by the digest of their text. */
  | { deed: "readings-adopted"; digest: Digest; second: Person }
  /** Entries up to this size of the tree were moved to an archive. */
  | {
      deed: "entries-archived";
      size: number;
      root: Digest;
      /** The digest of the archive. */
      archive: Digest;
      heads: ArchivedHead[];
    }
  /** The software was started. */
  | {
      deed: "software-started";
      software: Digest;
      /** By how many milliseconds the recorded clock went on at this start because the system's said so: the time at rest. Nothing else vouches for it. */
      at_rest?: number | null;
    }
  /** The software was stopped in order. */
  | { deed: "software-stopped" }
  /** Something was checked and did not hold. */
  | {
      deed: "verification-failed";
      words: string;
      /** A witness keeps another history than this ledger's: no further Round opens until the loss is declared. */
      contest?: Contest | null;
      /** Whether the register of people and devices was tampered with: no further Round opens until two people have cleared it. */
      register?: boolean;
    }
  /** Somebody elsewhere keeps checkpoints of this ledger, or no longer; it takes a second person. */
  | {
      deed: "witness-changed";
      witness: WitnessName;
      /** `folder:/PATH`, `http://HOST…` or `https://HOST…`. */
      address: string;
      in_use: boolean;
      second: Person;
      reason: string;
      /** The key that it signs with, as C2SP writes keys; a folder has none. */
      key?: string | null;
    }
  /** A witness has this ledger's tree of so many entries, and what it had before goes on to it. Written down for each witness once after a start. */
  | { deed: "witness-confirmed"; witness: WitnessName; size: number; root: Digest }
  /** No witness could be reached, and the house opened all the same; it takes a second person. */
  | { deed: "opened-unwitnessed"; second: Person; reason: string }
  /** Entries that a witness signed for are not in this ledger, or others are in their place: after `from`, up to `to`. It takes a second person. With this deed another history begins at that witness. */
  | {
      deed: "loss-declared";
      witness: WitnessName;
      from: number;
      to: number;
      second: Person;
      reason: string;
      /** The root that the witness has at `to`, where it told. */
      root?: Digest | null;
    }
  /** The register of an earlier release, a file of its own, was taken over: once, by the software. */
  | { deed: "register-taken-over"; people: PersonTaken[]; devices: DeviceTaken[] }
  /** What was tampered with in the register was looked into, up to this failed verification, and its rows were made again from the deeds; it takes a second person. */
  | { deed: "register-cleared"; failed: Seq; second: Person; reason: string }
  /** A member of staff signed in. The session's name opens nothing. */
  | {
      deed: "signed-in";
      session: SessionId;
      /** What they showed beside the password; nothing where they have no second factor. */
      factor?: FactorShown | null;
    }
  /** Somebody gave a wrong password. Who, is told only of a person that there is: people mistype their password into the wrong field. */
  | {
      deed: "sign-in-failed";
      /** Whether nobody can sign in as that person for a while. */
      locked: boolean;
      /** Whether the password was right and only the second factor was missing or wrong: somebody may know it. */
      factor?: boolean;
      person?: Person | null;
    }
  /** A member of staff signed out. */
  | { deed: "signed-out"; session: SessionId }
  /** A member of staff chose a password of their own. */
  | {
      deed: "password-chosen";
      /** The digest of its salted hash. */
      credential?: Digest | null;
    }
  /** A member of staff has a second factor from now on, or another one. */
  | {
      deed: "factor-enrolled";
      /** The step of the code that showed that they hold it. */
      step: number;
      /** The digest of the hashes of seed and recovery codes. */
      credential?: Digest | null;
      /** What they showed of the factor before, which this one replaces. */
      factor?: FactorShown | null;
    }
  /** A member of staff had new recovery codes made; those before are no longer good. */
  | { deed: "recovery-codes-made"; factor: FactorShown; credential?: Digest | null }
  /** A member of staff used a recovery code, which is used up by it. */
  | { deed: "recovery-code-used"; left: number; credential?: Digest | null }
  /** Two people asked that somebody's second factor be removed. It is done after a delay, in which it can be stopped. */
  | { deed: "factor-reset-begun"; person: Person; second: Person; reason: string }
  /** That person, or an Administrator, stopped it. */
  | {
      deed: "factor-reset-stopped";
      begun: Seq;
      person: Person;
      /** What was shown for it. */
      factor?: FactorShown | null;
    }
  /** The delay is over: that person has no second factor any more and enrols another one. */
  | { deed: "factor-reset"; begun: Seq; person: Person }
  /** A member of staff came, has another role, was disabled or enabled, or was invited to choose a password. In a house whatever gives somebody power takes a second person and a reason; taking it away takes neither. */
  | {
      deed: "staff-changed";
      person: Person;
      role: string;
      enabled: boolean;
      invited: boolean;
      /** The digest of the invitation's hashes, the code's included. It is made after everybody has signed. */
      credential?: Digest | null;
      /** The name as it is shown, where it is a new one: whoever signs must see it. */
      name?: string | null;
      reason?: string | null;
      second?: Person | null;
    }
  /** Administrators were appointed at the host with the house's key, because those that there were could not come in any more. Every screen says so until an Administrator has seen to it. */
  | { deed: "administrators-restored"; persons: Person[]; reason: string }
  /** An Administrator has looked into how others were restored. */
  | { deed: "restoration-seen"; restored: Seq; reason: string }
  /** A device got a credential. */
  | {
      deed: "device-enrolled";
      device: DeviceId;
      kind: string;
      table: TableId;
      /** The box at which a terminal stands. */
      box?: BoxNo | null;
      /** The digest of the credential's hash. It is made after everybody has signed. */
      credential?: Digest | null;
      patron?: PatronNo | null;
      reason?: string | null;
      /** Who agreed, where money is kept for that patron at the table, and why it is done. */
      second?: Person | null;
    }
  /** The credential of a device is no longer good. */
  | { deed: "device-revoked"; device: DeviceId }
  /** A member of staff gave their password again, to answer for one order or one deed. Since 0.2.0 it says which: by its digest, and for an order by its table and Round. */
  | {
      deed: "approval-given";
      digest?: Digest | null;
      /** What they showed beside the password; nothing in a session of their own, or where they have no second factor. */
      factor?: FactorShown | null;
      round?: RoundNo | null;
      table?: TableId | null;
    };

/** A device of the demonstration. */
export interface DemoDevice {
  device: DeviceId;
  kind: DeviceKind;
  credential: string;
}

/** A sign-in of the demonstration. */
export interface DemoSignIn {
  person: Person;
  /** Drawn anew at every start. */
  password: string;
  role: Role;
}

/** Why an order did not reach the table. */
export type Denial =
  /** The id names another device. */
  | "not-your-device"
  /** The order is by somebody else. */
  | "not-you"
  /** Whoever orders this must sign for it, and so must the second person that it names. */
  | "approval-needed"
  /** What was signed is another order, was used before, is too old, or what it is about has changed; or somebody who signed is not what they were. */
  | "approval-not-good"
  /** No deed of the house gives this person the role in which they order. */
  | "no-mandate"
  /** A house opens no table before two Administrators can come in. */
  | "too-few-administrators"
  /** The house opens no further Round; `/api/health` has the causes. Rounds in play go on. */
  | "no-further-round"
  /** No witness has confirmed the history of this house, or one contests it: nothing is paid out and no ticket is taken before that is settled. `/api/health` has the causes. */
  | "history-in-doubt"
  /** This screen gives no such orders. */
  | "not-from-here"
  /** The table is locked: its books did not balance, or its record is not as it was signed for. It takes no order until it has been looked into. */
  | "table-locked";

export interface DerivedRoad {
  seq: string;
  cells: [number, number, Colour][];
}

/** The code of a device, for the second person who signed for it. The device needs it beside the credential. */
export interface DeviceCode {
  /** The device. */
  device: DeviceId;
  /** What the second person enters at the device. */
  code: string;
}

/** What an order comes from: a terminal, a console, a card reader, the table's own clock. */
export type DeviceId = string;

/** What a device is, and where it stands. */
export type DeviceKind =
  /** A Player Terminal: it speaks for one patron of one table. */
  | {
      terminal: {
        table: TableId;
        patron: PatronNo;
        /** The betting box at which it stands, on a live table; whoever uses it sits there. */
        box?: BoxNo | null;
      };
    }
  /** The Game Console of a table. */
  | { console: { table: TableId } }
  /** A display board. */
  | { board: { table: TableId } }
  /** A card reader. */
  | { reader: { table: TableId } }
  /** The note acceptor of a patron's terminal. */
  | { acceptor: { table: TableId; patron: PatronNo } };

/** A device, as it is listed. */
export interface DeviceListed {
  /** Its name. */
  device: DeviceId;
  /** What it is, and where. */
  kind: DeviceKind;
  /** Since when. */
  enrolled: Timestamp;
  /** Until when, if it is no longer good. */
  revoked: Timestamp | null;
}

/** A device as a register of an earlier release had it. */
export interface DeviceTaken {
  device: DeviceId;
  /** The digest of its credential's hash. */
  credential: Digest;
}

/** A SHA-256 digest; in JSON, 64 hexadecimal digits. */
export type Digest = string;

/** How freely the House decides. */
export type Discretion =
  /** Reasonable discretion. */
  | "reasonable"
  /** Absolute discretion. */
  | "absolute";

/** What a dispute is about. */
export type DisputeAbout =
  /** Which cards came, or who won. */
  | "result"
  /** What was paid. */
  | "payout"
  /** Chips that lay between two spots. */
  | "chips-between-spots"
  /** Chips that two people say are theirs. */
  | "two-owners"
  /** Chips that were moved after bets closed. */
  | "chips-moved-after-close"
  /** Anything else. */
  | "other";

/** A dispute. */
export type DisputeNo = number;

/** A dispute that is not closed. */
export interface DisputeView {
  dispute: DisputeNo;
  round: RoundNo | null;
  patron: PatronNo | null;
  words: string;
  /** Whether what the record says about it was bundled. */
  bundled: boolean;
  /** Whether a Pit Supervisor or above has seen it. */
  seen: boolean;
  /** What the next Round waits for, if it does. */
  waits: DisputeWaits | null;
  /** It was recorded late, and a recording shows that it was spoken in time. */
  spoken: boolean;
  about?: DisputeAbout | null;
  /** The wagers that it is about, as they were recorded when it was raised; one's own at a terminal. */
  pictured?: Pictured[];
}

/** What the next Round waits for. */
export type DisputeWaits =
  /** Somebody decides it. */
  | { for: "decided" }
  /** A Pit Supervisor sees it, or this time passes. */
  | {
      for: "seen";
      /** Until when. */
      until: Timestamp;
    };

/** A box that was taken out of an acceptor, counted at one table. */
export type DropNo = number;

/** Enrols a device. */
export interface Enrol {
  /** Its name for ever: 1 to 40 letters, digits and hyphens. */
  device: string;
  /** What it is, and where it stands. */
  kind: DeviceKind;
}

/** A device that has just been enrolled. */
export interface EnrolledDevice {
  /** Its name. */
  device: DeviceId;
  /** What it is, and where it stands. */
  kind: DeviceKind;
  /** What it shows from now on. It is told here and nowhere else. */
  credential: string;
  /** Two people enrolled it: it shows the credential, a dot, and the code that the second person is told. */
  with_code?: boolean;
}

/** Enrols a device together with a second person. */
export interface Enrolment {
  /** Its name for ever: 1 to 32 letters, digits and `-`. */
  device: string;
  /** What it is, and where it stands. */
  kind: DeviceKind;
  /** Who agrees: an Administrator, or a Table Games Shift Manager or above. */
  second: string;
  /** Why. */
  reason: string;
}

/** A part of a table's record. */
export interface Entries {
  /** Entries as they are stored, one after another. */
  entries: Entry[];
  /** The last entry that there is. */
  head: Seq;
}

/** One order that was carried out, and what happened. */
export interface Entry {
  seq: Seq;
  order: OrderTold;
  events: Event[];
  release: Release;
  /** By which deeds its giver acted, where that is a member of staff. The software fills it in; 0.1.0 did not. */
  mandates?: Mandates | null;
}

/** Which bets can establish an outcome (interpretation 20). */
export type EstablishedBy =
  /** Every bet that the layout offers. */
  | "offered"
  /** Only bets that somebody placed. */
  | "placed";

/** What happened at a table. */
export type Event =
  | {
      event: "table-opened";
      settings: SettingsTold;
      rulebook: string;
      digest: Digest;
      approval?: Anchor | null;
      /** In a house: who agreed, and the deed of the approval in force. */
      second?: Person | null;
    }
  | {
      event: "settings-changed";
      settings: SettingsTold;
      rulebook: string;
      digest: Digest;
      approval?: Anchor | null;
      /** In a house: who agreed, and the deed of the approval in force. */
      second?: Person | null;
    }
  /** Other limits apply from the first Round that commences at this time or later; until then they are displayed beside those in force. */
  | {
      event: "limits-announced";
      bets: Record<string, Range>;
      from: Timestamp;
      cite: Cite;
      betting_box?: BoxLimits | null;
    }
  /** The limits that were announced are in force, from the Round that commences now. */
  | { event: "limits-changed"; bets: Record<string, Range>; cite: Cite; betting_box?: BoxLimits | null }
  | { event: "closing-announced"; last_round: RoundNo }
  /** The Round that was announced as the last is not played: no Round may commence at this table any more. */
  | { event: "last-round-dropped"; round: RoundNo; cite: Cite }
  | { event: "table-closed" }
  | {
      event: "shoe-loaded";
      shoe: ShoeNo;
      card_set: CardSet;
      cards: number;
      commitment?: Digest | null;
      shuffled_by?: Person | null;
    }
  | { event: "cards-inspected"; shoe: ShoeNo; missing: Card[]; extra: Card[] }
  | { event: "cards-cut"; shoe: ShoeNo; at: number }
  | { event: "cards-burnt"; shoe: ShoeNo; count: number; shown?: Card | null }
  /** No Round opens from this shoe any more; one in play is finished. */
  | { event: "cut-card-reached"; shoe: ShoeNo }
  | { event: "shoe-exchange-required"; shoe: ShoeNo; cite: Cite }
  /** A ruling had the cards replaced: the next card comes from a new shoe. */
  | { event: "shoe-replacement-ordered"; shoe: ShoeNo; cite: Cite }
  | { event: "shoe-retired"; shoe: ShoeNo; reason: string }
  | { event: "shoe-reconciled"; shoe: ShoeNo; missing: Composition; extra: Composition }
  | { event: "shoe-revealed"; shoe: ShoeNo; salt: string; cards: Card[] }
  | { event: "carried-cards-ruled"; keep: boolean; cite: Cite }
  | { event: "carried-cards-discarded"; cards: Card[] }
  | {
      event: "bets-opened";
      round: RoundNo;
      shoe: ShoeNo;
      /** Cards of the Round before that open this one. */
      carried: Card[];
      /** When an electronic table closes by itself; on a live table a prompt. */
      closes_at: Timestamp;
      /** In a house, the deed of the approval under which the Round commences and ends. */
      approval?: Anchor | null;
      cite?: Cite | null;
    }
  | {
      event: "wager-registered";
      patron: PatronNo;
      bet: BetId;
      amount: Money;
      /** All that the patron now has on it. */
      stake: Money;
      box?: BoxNo | null;
      cite?: Cite | null;
      /** The Pit Employee who placed it at the patron's request, and the paragraph. */
      placed_by?: Person | null;
      side?: Side | null;
      stance?: Stance | null;
    }
  | {
      event: "wager-withdrawn";
      patron: PatronNo;
      bet: BetId;
      amount: Money;
      stake: Money;
      box?: BoxNo | null;
      side?: Side | null;
    }
  /** Chips that gave way to a Seated Player's, or to the Differential at close. */
  | {
      event: "wager-trimmed";
      patron: PatronNo;
      box: BoxNo;
      bet: BetId;
      side: Side;
      amount: Money;
      stake: Money;
      cite: Cite;
    }
  | {
      event: "chips-recorded";
      patron: PatronNo;
      box: BoxNo;
      stance: Stance;
      bet: BetId;
      stake: Money;
      side?: Side | null;
    }
  /** What breaks a limit in a box while bets are open. */
  | { event: "limits-flagged"; box: BoxNo; flags: Flag[]; cites: Cite[] }
  /** What breaks the range of a side bet while bets are open. */
  | {
      event: "side-bet-flagged";
      patron: PatronNo;
      box: BoxNo;
      bet: BetId;
      stake: Money;
      minimum: Money;
      maximum: Money;
      cite: Cite;
    }
  /** Chips that are no whole number of units, recorded as they lie. */
  | {
      event: "stack-flagged";
      patron: PatronNo;
      box: BoxNo;
      bet: BetId;
      stake: Money;
      unit: Money;
      cite: Cite;
    }
  /** The patron was told that the bet is outside its limits, and may raise or withdraw it. */
  | { event: "patron-advised"; patron: PatronNo; box: BoxNo; bet: BetId; stake: Money; cite: Cite }
  /** What was outside its limits, noticed, and still there when bets closed goes back. */
  | {
      event: "wager-returned";
      patron: PatronNo;
      box: BoxNo;
      bet: BetId;
      amount: Money;
      stake: Money;
      cite: Cite;
      side?: Side | null;
    }
  | {
      event: "wager-amended";
      patron: PatronNo;
      box: BoxNo;
      stance: Stance;
      bet: BetId;
      stake: Money;
      /** The whole box is apportioned anew, and the paragraph by which. */
      parts: Part[];
      cite: Cite;
      parts_cite?: Cite | null;
      second?: Person | null;
      side?: Side | null;
      /** After the first card: the recording that shows it, and who agreed. */
      surveillance?: string | null;
    }
  | {
      event: "bets-closed";
      round: RoundNo;
      /** Wagers that do not play in full, and the paragraph by which. */
      parts: Part[];
      /** The paragraph by which bets are settled as they lie now. */
      chips_cite?: Cite | null;
      cite?: Cite | null;
      parts_cite?: Cite | null;
    }
  | { event: "late-bet-refused"; patron: PatronNo; bet: BetId; stake: Money; cite: Cite; box?: BoxNo | null }
  | { event: "hand-accepted"; side: Side; patron: PatronNo; cite: Cite }
  | { event: "squeeze-asked"; patron: PatronNo; card: number; cite: Cite }
  | { event: "squeeze-answered"; patron: PatronNo; card: number; granted: boolean }
  | {
      event: "card-drawn";
      card: Seen;
      source: Source;
      /** Face down until it is turned. */
      covered: boolean;
      /** Where it lies. */
      side?: Side | null;
    }
  | { event: "card-read"; card: Seen }
  /** A card had been keyed wrongly; counted from 1 in drawing order. */
  | {
      event: "card-corrected";
      at: number;
      was: Card;
      card: Card;
      /** It took a Pit Supervisor: another card was out, or the Hands were complete. */
      supervised: boolean;
    }
  /** Cards lie open now; `shown` says what each of them is. */
  | { event: "cards-turned"; cards: number[]; shown: Seen[] }
  | { event: "round-completed"; result: RoundResult }
  | {
      event: "matter-opened";
      matter: MatterNo;
      kind: IrregularityKind;
      report: ReportTold;
      /** Whether it holds the Round until it is ruled. */
      holds: boolean;
      cite: Cite;
      /** Whether a second person must agree. */
      second_person: boolean;
      /** Whether an outcome had been established. */
      established: boolean;
      /** Who decides; nobody where the rules leave nothing to decide. */
      decides?: Post | null;
      /** How freely. */
      discretion?: Discretion | null;
      /** Until when it holds back money of a Round that is over; none where it could change no such money. */
      money_until?: Timestamp | null;
      /** What the software proposes, where whoever decides may rule otherwise. */
      proposed?: RulingWord | null;
    }
  | {
      event: "ruled";
      matter: MatterNo;
      ruling: Ruling;
      cite: Cite;
      /** Whether the patrons are to be asked. */
      choice: boolean;
      reason: string;
      /** The interpretation that was departed from in this case. */
      departs?: number | null;
      second?: Person | null;
    }
  /** A card was taken for another; counted from 1 in drawing order. */
  | { event: "card-misread"; at: number; card: Card }
  /** The cards of the Round in the order that counts, and those that open the next. */
  | { event: "cards-ordered"; order: Card[]; carried: Card[] }
  | {
      event: "round-voided";
      round: RoundNo;
      kind: IrregularityKind;
      cite: Cite;
      returns: Return[];
      /** Where the Round had been settled: what undoes it. */
      changes: Change[];
      /** The paragraph by which the bets go back. */
      returns_cite?: Cite | null;
    }
  | { event: "choice-offered"; until: Timestamp; patrons: PatronNo[]; cite?: Cite | null }
  | {
      event: "choice-made";
      patron: PatronNo;
      choice: Choice;
      /** No answer in time, or walked away. */
      silent: boolean;
      returns: Return[];
    }
  /** The Round goes on after rulings and choices. */
  | {
      event: "play-resumed";
      /** When bets close, where they are open again. */
      closes_at?: Timestamp | null;
    }
  | { event: "table-interrupted"; cite: Cite; cause?: Cause | null }
  | {
      event: "cards-confirmed";
      cards: Card[];
      /** The Dealer who confirmed them with a Pit Supervisor or above. */
      second?: Person | null;
    }
  | {
      event: "interruption-resolved";
      established: boolean;
      /** The bets that were certain. */
      because: BetId[];
      cite: Cite;
    }
  | { event: "round-settled"; round: RoundNo; result: RoundResult; lines: SettledLine[]; house: number }
  | {
      event: "round-corrected";
      round: RoundNo;
      result: RoundResult;
      lines: SettledLine[];
      house: number;
      changes: Change[];
      cite: Cite;
      /** Cards that open the next Round now. */
      carried?: Card[];
      /** The paragraph by which the cards prevail over what was displayed. */
      display_cite?: Cite | null;
    }
  /** Chips of the Round just settled had been recorded wrongly: it is settled anew with the stake that lay there. */
  | {
      event: "round-amended";
      round: RoundNo;
      patron: PatronNo;
      box: BoxNo;
      stance: Stance;
      bet: BetId;
      stake: Money;
      result: RoundResult;
      lines: SettledLine[];
      house: number;
      changes: Change[];
      surveillance: string;
      cite: Cite;
      second?: Person | null;
    }
  | {
      event: "adjusted";
      round: RoundNo;
      adjustments: Adjustment[];
      changes: Change[];
      cite: Cite;
      /** The cards by which it was computed. */
      cards?: Card[];
    }
  /** What was pushed to a patron was not the payout. What is too little is made good now, what is too much is owed. */
  | {
      event: "push-recorded";
      round: RoundNo;
      patron: PatronNo;
      payout: Money;
      counted: Money;
      surveillance: string;
      cite: Cite;
      second?: Person | null;
    }
  | { event: "credits-bought"; patron: PatronNo; amount: Money; credits: Money }
  /** An acceptor took a note, and it is credits now. */
  | {
      event: "note-accepted";
      patron: PatronNo;
      acceptor: DeviceId;
      amount: Money;
      credits: Money;
      cite: Cite;
    }
  | { event: "case-opened"; case: CaseNo; patron: PatronNo; report: CaseReport; cite: Cite }
  | {
      event: "case-settled";
      case: CaseNo;
      patron: PatronNo;
      outcome: CaseOutcome;
      second: Person;
      reason: string;
      cite: Cite;
      /** The acceptor that holds the note, where money moved. */
      acceptor?: DeviceId | null;
    }
  | {
      event: "acceptor-emptied";
      drop: DropNo;
      acceptor: DeviceId;
      /** What the record says is in the box. */
      expected: Money;
      by: Person;
      second: Person;
      cite: Cite;
    }
  | {
      event: "acceptor-counted";
      drop: DropNo;
      acceptor: DeviceId;
      counted: Money;
      expected: Money;
      second: Person;
      cite: Cite;
    }
  | { event: "ticket-redeemed"; patron: PatronNo; ticket: TicketNo; amount: Money; credits: Money }
  /** What a claim could still take was not paid with the rest, but is kept for the patron, who has a slip for it. */
  | {
      event: "cash-out-held";
      patron: PatronNo;
      slip: SlipNo;
      amount: Money;
      /** The claims. */
      matters: MatterNo[];
      cite: Cite;
      /** When it is payable if none of them is decided before and nobody extends the time; none where a claim of the first release has no time. */
      until?: Timestamp | null;
    }
  | {
      event: "cashed-out";
      patron: PatronNo;
      ticket: TicketNo;
      amount: Money;
      expires: Timestamp;
      /** Which number derived from the order the ticket has: not the first if that one was taken. */
      attempt?: number;
      /** The currency of the table; earlier builds left it to the settings of the table at that time. */
      currency?: Currency | null;
      /** What the patron owes, for the cage to know. */
      owed?: Money;
      /** How the ticket is found by its number, which is not in the record; none in release 0.1.0, which named tickets by their number. */
      tag?: TicketTag | null;
    }
  /** The payout of a patron in a Round is to be held; their bets stand. */
  | {
      event: "payout-hold-ordered";
      slip: SlipNo;
      patron: PatronNo;
      round: RoundNo;
      reference: string;
      cite: Cite;
    }
  /** What would have gone to the patron is held: it is owed to them or to whom the law names, and not the House's. */
  | {
      event: "payout-held";
      slip: SlipNo;
      patron: PatronNo;
      amount: Money;
      cite: Cite;
      /** So much of it had been kept for them already. */
      from_unclaimed?: Money;
    }
  | {
      event: "held-decided";
      slip: SlipNo;
      patron: PatronNo;
      amount: Money;
      outcome: HeldOutcome;
      reference: string;
      second: Person;
      cite: Cite;
    }
  | { event: "hold-extended"; matter: MatterNo; until: Timestamp; reason: string; cite: Cite }
  | { event: "collected"; patron: PatronNo; amount: Money; owed: Money }
  | { event: "seat-taken"; patron: PatronNo; box: BoxNo }
  | { event: "seat-left"; patron: PatronNo; box: BoxNo }
  | { event: "walked-away"; patron: PatronNo; cite: Cite }
  | {
      event: "unclaimed-kept";
      patron: PatronNo;
      amount: Money;
      attendant?: Person | null;
      by?: Person | null;
      cite?: Cite | null;
      since?: Timestamp | null;
      /** Where credits were set aside: under which slip, by whom, who was at the terminal, since when nobody played with them. */
      slip?: SlipNo | null;
    }
  | { event: "set-aside-reviewed"; slip: SlipNo; patron: PatronNo; reason: string; cite: Cite }
  | { event: "unclaimed-paid"; patron: PatronNo; amount: Money }
  | { event: "float-opened"; amount: Money }
  | { event: "float-closed"; counted: Money; expected: number }
  | { event: "filled"; amount: Money; slip: string }
  | { event: "credited"; amount: Money; slip: string }
  | { event: "float-covered"; cause: Cause; cite: Cite }
  | { event: "float-uncovered"; second: Person; cite: Cite }
  | { event: "dropped"; amount: Money }
  | { event: "terminal-lost"; patron: PatronNo; cite?: Cite | null }
  | { event: "terminal-restored"; patron: PatronNo }
  | {
      event: "dispute-opened";
      dispute: DisputeNo;
      words: string;
      about?: DisputeAbout | null;
      patron?: PatronNo | null;
      /** The wagers of that Round in the boxes that it is about, as recorded then. */
      pictured?: Pictured[];
      round?: RoundNo | null;
      /** For how long the next Round waits at most until it is seen; where none is given, until it is decided. */
      seconds?: number | null;
      /** Raised before the next Round commenced, which waits for it. */
      timely?: boolean;
    }
  | { event: "dispute-bundled"; dispute: DisputeNo; digest: Digest }
  /** A Pit Supervisor or above has seen it; `surveillance` shows that it was spoken in time though recorded late. */
  | {
      event: "dispute-seen";
      dispute: DisputeNo;
      cite: Cite;
      patron?: PatronNo | null;
      surveillance?: string | null;
    }
  | {
      event: "dispute-closed";
      dispute: DisputeNo;
      words: string;
      /** The matter by which money moved. */
      matter?: MatterNo | null;
      patron?: PatronNo | null;
    }
  | { event: "post-taken"; person: Person; post: Post }
  | { event: "post-left"; person: Person; post: Post }
  | { event: "shift-started"; name: ShiftName }
  | { event: "clock-jumped"; from: Timestamp; to: Timestamp };

/** How cards are dealt. */
export type Faces =
  /** Face up. */
  | "up"
  /** Face down; somebody may squeeze. */
  | "down";

/** One condition of a row. */
export type FactTold =
  | { fact: "winner"; is: Winner[] }
  | { fact: "points"; is: number[] }
  | { fact: "points-of"; side: Side; is: number[] }
  | { fact: "winner-cards"; is: number[] }
  | { fact: "cards-of"; side: Side; is: number[] }
  | { fact: "cards"; is: number[] }
  | { fact: "margin"; is: number[] }
  | { fact: "natural"; on: Which }
  | { fact: "pairs"; on: Which }
  | { fact: "suited-pairs"; on: Which }
  | { fact: "count"; is: number[]; of: string }
  | { fact: "sum"; is: number[] };

/** What an app needs to make codes. It is told once, and waits for the first of them. */
export interface FactorOffer {
  /** The secret, as it is typed into an app. */
  secret: string;
  /** The same as an app reads it from a QR code. */
  uri: string;
  /** Until when the first code may come. */
  until: Timestamp;
}

/** What somebody showed beside their password. */
export type FactorShown =
  /** A code from their app. Each is good once: it is known by its step, the number of half minutes since 1970 by the clock of the system. */
  | {
      code: {
        /** See above. */
        step: number;
      };
    }
  /** A recovery code. */
  | "recovery-code";

/** How somebody's second factor stands. */
export interface FactorState {
  /** Whether they have one. */
  enrolled: boolean;
  /** Whether they must enrol one before they do anything else. */
  must_enrol: boolean;
  /** How many recovery codes are left. */
  recovery_codes?: number | null;
  /** That two people asked for it to be removed, and when that is done. */
  reset?: WaitingReset | null;
}

/** An error, as it is told. */
export interface Failure {
  /** What went wrong. */
  error: Fault;
}

/** What went wrong. */
export interface Fault {
  /** A word for programs. */
  code: string;
  /** A sentence for people. */
  words: string;
}

/** The first code of a new second factor. */
export interface FirstCode {
  /** As the app shows it. */
  code: string;
}

/** What breaks a limit on an observed table while bets are open (5.1, 5.2). */
export type Flag =
  /** One side outweighs the other by this much too much. */
  | {
      flag: "over-differential";
      /** The heavier side. */
      side: Side;
      /** The excess. */
      by: Money;
    }
  /** A patron has less than the minimum on a side. */
  | {
      flag: "under-minimum";
      /** Who. */
      patron: PatronNo;
      /** Where. */
      side: Side;
      /** What is missing. */
      by: Money;
    };

/** Who works at a table, and what is asked of them. */
export interface FloorView {
  /** The shift, by its name. */
  shift: string | null;
  /** Who has taken which post. */
  posts: [Person, Post][];
  /** Patrons who were asked to choose and have not answered. */
  waiting: PatronNo[];
  /** Who accepts which Hand. */
  accepting: [Side, PatronNo][];
  /** The float is covered; nobody is at the table. */
  float_covered: boolean;
  /** Squeezes that nobody has answered, of cards that are still in the shoe. */
  squeezes: SqueezeView[];
  /** Disputes that are not closed. */
  disputes: DisputeView[];
  /** What can be reported now by whoever looks. */
  reportable: IrregularityKind[];
  /** Sets out of use that are still to be counted. */
  uncounted: ShoeNo[];
  /** Cards that can be said now to have been keyed wrongly, counted from 1 in drawing order, each with the least post that may say so. */
  correctable: [number, Post][];
  /** How many cards each Dealer alone said were keyed wrongly, in this shift; pit and auditor. */
  miskeyed: [Person, number][];
}

/** What one commit brought, as far as this screen may see it. */
export interface Frame {
  /** The last entry of the commit. Numbers are left out where there was nothing for this screen. */
  seq: Seq;
  /** The server's clock. */
  now: Timestamp;
  /** What happened. */
  events: Event[];
  /** The parts of the view that are different now, by their names in `View`, whole. */
  view?: Sections;
}

/** Which game. */
export interface Game {
  /** Its id. */
  game: string;
  /** Decks in the shoe: 8, or as many as the game may have. */
  decks?: number | null;
  /** The layout; the first, if none is named. */
  layout?: string | null;
}

/** Why the server hangs up. */
export type Goodbye =
  /** The first message was no hello, or came too late. */
  | "no-hello"
  /** A message could not be read. */
  | "malformed"
  /** A message was too long. */
  | "too-long"
  /** Too many messages. */
  | "too-fast"
  /** No such credential or session, or it is no longer good. */
  | "not-signed-in"
  /** The credential or session does not open this screen at this table. */
  | "not-allowed"
  /** There is no such table. */
  | "no-such-table"
  /** The same device opened another socket. */
  | "replaced"
  /** The server goes down. */
  | "closing";

/** What a text has to be. */
export type Grammar =
  /** A name. */
  | "name"
  /** The number of a ticket. */
  | "ticket"
  /** A currency. */
  | "currency"
  /** A label. */
  | "label"
  /** A line of free text. */
  | "line"
  /** The text of a rule book. */
  | "page";

/** What a visitor of the demonstration is given. */
export interface Guest {
  /** Its members of staff. */
  people: DemoSignIn[];
  /** Devices that nobody else sits at. */
  devices: DemoDevice[];
}

/** Whether the server takes orders. */
export interface Health {
  /** Whether every table does. */
  well: boolean;
  /** Whether there is real money behind it. */
  kind: LedgerKind;
  /** The release of the software. */
  release: string;
  /** The server's clock. */
  now: Timestamp;
  /** Whether anybody elsewhere compares this ledger's history with what was signed before. */
  history: History;
  /** The audit of the whole record, beside play: the last one, and how far the present one is. */
  audit?: Audited | null;
  /** The system's clock is ahead of the server's by so many milliseconds, further than the server follows by itself: two people confirm it, or it is put right. */
  clock_ahead?: number | null;
  /** Why no table opens a further Round; Rounds in play go on. */
  no_further_round?: Hold[];
  /** Administrators were restored at the host by this entry of the house, and none of them has looked into it yet. */
  restored?: Seq | null;
  /** A house with fewer than two Administrators who can come in: it opens no further table before it has them. */
  too_few_administrators?: boolean;
}

/** What two people decided about a payout that was held (interpretation 51). */
export type HeldOutcome =
  /** It is the person's: kept for them, and paid at the cage. */
  | "released"
  /** It goes where the law of the house says; never to the House's win. */
  | "forfeited";

/** A payout that is held, or will be when its Round is over. */
export interface HeldPayoutView {
  slip: SlipNo;
  patron: PatronNo;
  round: RoundNo;
  amount: Money;
  reference: string;
}

/** Who one is and what one wants to see. */
export interface Hello {
  /** The table. */
  table: TableId;
  /** What kind of screen. */
  screen: Screen;
  /** The last number of the feed that was seen: what came after it is told before anything new. */
  after?: Seq | null;
  /** The credential of an enrolled device: terminals, consoles, boards, card readers. */
  device?: string | null;
  /** The session of a member of staff, where it does not come as a cookie. */
  session?: string | null;
}

/** Takes somebody on. */
export interface Hire {
  /** Their id: 1 to 40 letters, digits and hyphens. */
  person: string;
  /** Their name, as it is shown. */
  name: string;
  /** What they are employed as. */
  role: Role;
}

/** Whether anybody compares this ledger's history with what was signed before. */
export type History =
  /** No witness is named: nobody does. */
  | "not-compared"
  /** No witness has answered since the start. */
  | "unwitnessed"
  /** A witness has confirmed it since the start, and none keeps another one. */
  | "confirmed"
  /** A witness keeps another one. */
  | "contested";

/** Why the house opens no further Round. */
export type Hold =
  /** No witness has confirmed that this ledger goes on from what it signed before, and no two people have opened without. */
  | "history-unwitnessed"
  /** A witness keeps a history that this ledger does not go on from. */
  | "history-contested"
  /** The register of people and devices is not as the deeds say. */
  | "register-tampered";

/** What claims hold back of somebody's money. */
export interface HoldView {
  /** The most that they could take. */
  most: Money;
  /** The claims. */
  matters: MatterNo[];
  /** When nothing is held back any more, if nobody decides or extends the time before. */
  until: Timestamp | null;
  /** Slips that the patron has for it. */
  slips: SlipNo[];
}

/** The House's figures. */
export interface HouseView {
  won: number;
  disputes: number;
}

/** The interpretations, and whether the house has adopted them. */
export interface Interpretations {
  /** The digest of their text as shipped. */
  digest: Digest;
  /** The entry of the house by which it adopted this text, if it has. */
  adopted: Seq | null;
  /** When. */
  at: Timestamp | null;
}

/** The code of an invitation, for the second person who signed for it. Whoever is invited needs it beside the link. */
export interface InvitationCode {
  /** Who is invited. */
  person: Person;
  /** What they are told by the second person. */
  code: string;
  /** Until when it is good. */
  until: Timestamp;
}

/** A fact against the rules, or a matter that they leave to somebody's decision. */
export type IrregularityKind =
  /** A box outweighed beyond the Differential. */
  | "over-differential"
  /** A bet below the minimum. */
  | "under-minimum"
  /** A patron who left with bets standing. */
  | "walk-away"
  /** A power failure or the like that affects the Round. */
  | "technical-interruption"
  /** A failure of some or all Player Terminals while the table itself runs. */
  | "terminal-interruption"
  /** A card that is not of the set. */
  | "foreign-card"
  /** Cards missing from the set, or too many. */
  | "shortage-or-excess"
  /** A Hand with a wrong number of cards that cannot be reconstructed. */
  | "wrong-number-of-cards"
  /** Too few cards left to complete the Round. */
  | "shoe-exhausted"
  /** Cards that were not shuffled. */
  | "not-shuffled"
  /** A bet placed, raised or withdrawn after "No more Bets". */
  | "late-bet"
  /** A card drawn in excess, or exposed. */
  | "excess-or-exposed-card"
  /** A card dealt to the other side's area, or to the person accepting the other Hand. */
  | "wrong-side"
  /** A card dealt face up on a table that deals face down. */
  | "face-up"
  /** Two or more cards drawn at once. */
  | "simultaneous-draw"
  /** Any other dealing error that is not a cause for a void. */
  | "other-dealing-error"
  /** An error noticed after a later Round commenced. */
  | "late-discovery"
  /** A bet that the patron placed by mistake. */
  | "bet-placed-in-error"
  /** A result that was registered or displayed otherwise than the cards show. */
  | "wrong-result"
  /** Whatever the rules do not provide for. */
  | "uncovered";

/** A name in the three languages of the felt. */
export interface Label {
  en: string;
  "zh-Hans": string;
  "zh-Hant": string;
}

/** The Round before. */
export interface LastView {
  round: RoundNo;
  /** None where it was void. */
  result: RoundResult | null;
  /** One's own lines; for those who see all wagers, all of them. */
  lines: SettledLine[];
}

/** What a ledger is for, for ever. */
export type LedgerKind =
  /** Trying things out: no real money. */
  | "demo"
  /** Trying out rules, settings and people on a floor of one's own: no real money. */
  | "practice"
  /** A house at work: approved rules only (interpretation 33). */
  | "house";

/** What is done about bets that break a limit (interpretation 12). */
export type LimitsMode =
  /** Refused at once, as a terminal does. */
  | "enforced"
  /** Recorded as they lie on the felt, flagged, and settled pro rata. */
  | "observed";

/** By which deeds one person acts. */
export interface Mandate {
  /** The deed in the house's volume that gave them the role that they have. */
  role: Anchor;
  /** The entry of the table's own volume by which they took a post there, if they hold one. */
  post?: Anchor | null;
}

/** By which deeds the giver of an order, and the second person that it names, act. */
export interface Mandates {
  by: Mandate;
  second?: Mandate | null;
}

/** A matter that somebody reported or the software found. */
export type MatterNo = number;

/** Something to be ruled, with what the software proposes. */
export interface MatterView {
  matter: MatterNo;
  kind: IrregularityKind;
  report: ReportTold;
  round: RoundNo;
  /** Whether the Round waits for it. */
  holds: boolean;
  cite: Cite;
  decides: Post;
  /** Until when it holds back money of a Round that is over. */
  money_until: Timestamp | null;
  /** Whether a second person must agree. */
  second_person: boolean;
  discretion: Discretion | null;
  /** What the software proposes, where whoever decides may rule otherwise. */
  proposed: RulingWord | null;
  established: boolean;
  /** The bets that are certain already: why an outcome is established. */
  because: BetId[];
  proposal: Proposal | null;
  /** Cards that left the shoe together and whose order is open. */
  movable: Card[];
  /** What may be ruled. */
  rulings: RulingWord[];
  /** Those of them that a second person must agree to. */
  take_two: RulingWord[];
  /** Whether whoever rules may have the cards in the shoe replaced. */
  may_replace: boolean;
}

/** A member of staff. */
export interface Member {
  /** Their id. */
  person: Person;
  /** Their name, as it is shown. */
  name: string;
  /** What they are employed as. */
  role: Role;
  /** Whether they may come in at all. */
  enabled: boolean;
  /** Whether they have chosen a password. */
  password: boolean;
  /** Whether they have a second factor. */
  factor: boolean;
  /** Until when they may choose one by their invitation. */
  invited_until: Timestamp | null;
  /** Until when nobody can sign in as them from a device that is not known, after too many wrong passwords. */
  locked_until: Timestamp | null;
}

/** A member of staff, and an invitation if there is one. */
export interface MemberTold {
  /** As they are now. */
  member: Member;
  /** The secret of the link by which they choose a password, once. It is told here and nowhere else. Where a second person signed, it takes the code as well that they alone are told. */
  invitation?: string | null;
  /** Until when the link is good. */
  until?: Timestamp | null;
}

/** A live table, or the electronic one with its Game Console and Player Terminals. */
export const Mode = ["live", "electronic"] as const;
export type Mode = (typeof Mode)[number];

/** A date and time with its offset from UTC, as in 2024-12-06T08:00:00+08:00. */
export type Moment = string;

/** An amount in minor units (cents), at most 2⁵³ − 1 so that it is a plain number in JSON and in the browser. */
export type Money = number;

/** What patrons bet with. */
export type MoneyKind =
  /** Credits that the table itself keeps. */
  | "credits"
  /** Chips on the felt; the table keeps its float. */
  | "chips";

/** What a winning bet pays, as felts print it: `11 to 1`, `0.95 to 1`. */
export type Odds = string;

/** Sets up a table. */
export interface Open {
  /** Everything that is fixed when a table opens. */
  settings: Settings;
  /** What both signed, where a second person is named: the same order, held for signatures. */
  pending?: string | null;
  /** The rule book, if it is not the approved one of the game. */
  rulebook?: string | null;
  /** A second person who agrees; in a house two people answer for settings that touch rights. */
  second?: Person | null;
}

/** A table was opened. */
export interface Opened {
  /** The table. */
  table: TableId;
  /** The entry. */
  seq: Seq;
}

/** What somebody wants of a table. */
export interface Order {
  /** Its name. */
  id: OrderId;
  /** Who. */
  by: Actor;
  /** When it reached the table. In the record, time never runs backwards. */
  at: Timestamp;
  /** What. */
  command: Command;
  /** The Round it means. A wager must name it, so that a late retry can never land in the next one. */
  round?: RoundNo | null;
}

/** Names an order for ever. A device counts upwards; the same id with the same order is answered as it was the first time and never carried out again. */
export interface OrderId {
  device: DeviceId;
  n: number;
}

/** What somebody wants of a table. */
export interface OrderTold {
  /** Its name. */
  id: OrderId;
  /** Who. */
  by: Actor;
  /** When it reached the table. In the record, time never runs backwards. */
  at: Timestamp;
  /** What. */
  command: CommandTold;
  /** The Round it means. A wager must name it, so that a late retry can never land in the next one. */
  round?: RoundNo | null;
}

/** Who owes. */
export type Owed =
  /** The House owes the patron. */
  | "to-patron"
  /** The patron owes the House. */
  | "to-house";

/** One's own money. */
export interface OwnView {
  patron: PatronNo;
  credits: Money;
  owed: Money;
  /** The box that one sits at. */
  seat: BoxNo | null;
  wagers: WagerView[];
  total: Money;
  /** Until when one may choose, if one is asked. */
  choose_until: Timestamp | null;
  /** Cards that one was granted to squeeze. */
  squeezes: number[];
  /** Orders that one lacks something for: credits, a wager, a question to answer. */
  lacks: CommandKind[];
  /** The Round that one may still dispute in time. */
  disputable: RoundNo | null;
  /** One's disputes that are not closed. */
  disputes: DisputeView[];
  /** What a claim holds back of a cash-out, where one does. */
  held?: HoldView | null;
  /** Payouts that are held and not decided about. */
  held_payouts?: Money;
}

/** How much of a wager plays, where it is not all of it (5.1.1). */
export interface Part {
  patron: PatronNo;
  box: BoxNo;
  bet: BetId;
  playing: Money;
}

/** A password was chosen: what comes next. */
export interface PasswordChosen {
  /** Who can sign in with it. */
  person: Person;
  /** Whether they have a second factor. An invitation does not change it. */
  factor: boolean;
  /** Whether they must set one up before they do anything else. */
  must_enrol: boolean;
}

/** A person who bets, as the table numbers them. */
export type PatronNo = number;

/** Something that waits for signatures. */
export interface Pending {
  /** Its name. */
  pending: string;
  /** What is signed: the digest of everything that is said here under `order` or `deed`. */
  digest: Digest;
  /** Until when it can be signed and carried out, if nothing changes before. */
  until: Timestamp;
  /** Who is signed in at the screen that asks for it. */
  asked_by: Person;
  /** Whose signatures it takes. */
  signers: Signer[];
  /** Something that concerns the house. */
  deed?: PendingDeed | null;
  /** An order for a table. */
  order?: PendingOrder | null;
}

/** A deed that waits for the signature of its second person. */
export interface PendingDeed {
  /** Who does it. */
  by: Actor;
  /** All that it says. */
  deed: Deed;
}

/** What a ruling that waits for signatures is about. */
export interface PendingMatter {
  matter: MatterNo;
  kind: IrregularityKind;
  round: RoundNo;
}

/** An order for a table that waits for signatures. */
export interface PendingOrder {
  /** The table. */
  table: TableId;
  /** Who gives it. */
  by: Actor;
  /** What kind of order. */
  kind: CommandKind;
  /** All that it says. */
  command: CommandTold;
  /** The matter that it rules on, if it does. */
  matter?: PendingMatter | null;
  /** The reason that it gives, if it gives one. */
  reason?: string | null;
  /** The Round that it means, if it means one. */
  round?: RoundNo | null;
}

/** A member of staff, by the house's own number. */
export type Person = string;

/** A person in the register of an earlier release. */
export interface PersonTaken {
  person: Person;
  name: string;
  /** The digest of their password's hash, if they have one. */
  credential?: Digest | null;
}

/** Where a table stands, in one word. */
export const PhaseWord = ["closed", "between", "betting", "dealing", "unread", "held", "choosing", "confirming", "interrupted"] as const;
export type PhaseWord = (typeof PhaseWord)[number];

/** A wager as the record had it when a Round was disputed. */
export interface Pictured {
  patron: PatronNo;
  bet: BetId;
  stake: Money;
  box?: BoxNo | null;
}

/** A pit, as the floor calls it. */
export type Pit = string;

/** The answer to a ping. */
export interface Pong {
  /** The number of the ping. */
  n: number;
  /** The server's clock. */
  now: Timestamp;
}

/** A position on the gaming floor, lowest first: "Pit Supervisor or above" is `post >= Post::PitSupervisor`. */
export const Post = ["dealer", "pit-supervisor", "pit-manager", "shift-manager", "duty-manager"] as const;
export type Post = (typeof Post)[number];

/** Whose orders of a post are taken (interpretation 46). */
export type PostsBy =
  /** Of everybody who is employed in it. */
  | "role"
  /** Of those who hold it, or a higher one, in the running shift. */
  | "held";

/** What is printed at a table, and where the approved document says it. */
export interface Printed {
  game: string;
  title: Label;
  version: number | null;
  in_force: string;
  mode: Mode;
  decks: number;
  layout: string;
  layout_cite: Cite;
  /** Whether the document says that its Chinese print means the same as the English. */
  bilingual: boolean | null;
  /** The felt row by row, where its picture survives; a bet may be printed twice. */
  felt: BetId[][] | null;
  bets: PrintedBet[];
  /** What the document lays down about play and conduct, and in which paragraph. */
  topics: [string, Cite][];
  table_of_play: PrintedTableOfPlay;
  irregularities: PrintedIrregularity[];
}

/** A bet and its pay table. */
export interface PrintedBet {
  bet: BetId;
  label: Label;
  cite: Cite;
  side: Side | null;
  /** In order: the first that holds decides; if none does, the bet loses. */
  rows: PrintedRow[];
}

/** What the document says about one kind of irregularity. */
export interface PrintedIrregularity {
  kind: IrregularityKind;
  cite: Cite;
  remedy: Remedy;
  decides: Post | null;
  /** Who decides what is noticed in time, where that is another. */
  decides_in_time: Post | null;
  second_person: boolean;
  discretion: Discretion | null;
}

/** A row of a pay table. */
export interface PrintedRow {
  /** All of these must hold. */
  when: FactTold[];
  /** What it pays; none where the stake comes back. */
  odds: Odds | null;
  /** What the House keeps of gross winnings, as a percentage. */
  commission: string | null;
  /** The paragraph. */
  cite: Cite;
  /** The row's own printed name. */
  label: Label | null;
}

/** The third-card rules, as figures. */
export interface PrintedTableOfPlay {
  /** The paragraph. */
  cite: Cite;
  /** On which totals the Player Hand draws. */
  player_draws: number[];
  /** For Banker totals 0 to 7, on which values of the Player's third card Banker draws. */
  banker_draws: number[][];
  /** On which totals Banker draws where the Player Hand stood. */
  banker_draws_alone: number[];
}

/** A ticket as it is printed. */
export interface PrintedTicket {
  /** Its serial, by which the record knows it: the table, and the entry that issued it. It pays nobody. */
  ticket: TicketNo;
  /** Its number. Whoever has it is paid. */
  number: string;
  /** What it is worth. */
  amount: Money;
  /** Until when it is paid. */
  expires: Timestamp;
}

/** What the cards would be, put in order. */
export interface Proposal {
  /** Dealt again by the Table of Play. */
  reconstructed: Card[];
  /** What is then left over for the next Round. */
  carried: Card[];
  /** An order that gives the Hands as they lie, if their numbers of cards are right. */
  as_they_lie: Card[] | null;
}

/** Has an order wait for signatures. */
export interface Propose {
  /** Who gives it and answers for it: whoever is signed in, or somebody else. */
  by: string;
  /** The order. A second person that it names signs as well; the post in which they agree is filled in. */
  command: Command;
  /** The Round that it means. */
  round?: RoundNo | null;
}

/** An Ed25519 key that checks signatures; in JSON, 64 hexadecimal digits. */
export type PublicKey = Digest;

/** The least and the most of one bet. */
export interface Range {
  minimum: Money;
  maximum: Money;
}

/** The reasons for a refusal, first come first. */
export type Reason =
  | { reason: "order-id-reused" }
  | { reason: "superseded"; last: number }
  | { reason: "table-not-open" }
  | { reason: "table-open" }
  | { reason: "rulebook-unreadable" }
  | { reason: "not-permitted"; least: Post | null }
  | { reason: "post-not-held"; post: Post }
  | { reason: "not-yours" }
  | { reason: "patrons-own" }
  | { reason: "wrong-money" }
  | { reason: "wrong-game" }
  | { reason: "round-missing" }
  | { reason: "wrong-round"; current: RoundNo | null }
  | { reason: "table-interrupted" }
  | { reason: "cards-known" }
  | { reason: "round-open"; round: RoundNo }
  | { reason: "no-round" }
  | { reason: "bets-not-open" }
  | { reason: "bets-closed" }
  | { reason: "bets-open" }
  | { reason: "limit-broken"; box: BoxNo }
  | { reason: "card-unread" }
  | { reason: "no-card-unread" }
  | { reason: "ruling-pending"; matter: MatterNo }
  | { reason: "dispute-undecided"; dispute: DisputeNo }
  | { reason: "choice-pending" }
  | { reason: "no-choice-pending" }
  | { reason: "not-interrupted" }
  | { reason: "round-incomplete" }
  | { reason: "cards-out" }
  | { reason: "bets-taken-back" }
  | { reason: "cards-covered" }
  | { reason: "shoe-awaited" }
  | { reason: "closing-not-announced" }
  | { reason: "last-round-played" }
  | { reason: "last-round-to-play"; round: RoundNo }
  | { reason: "already-announced" }
  | { reason: "credits-stand"; patron: PatronNo }
  | { reason: "correction-pending"; matter: MatterNo }
  | { reason: "no-hold" }
  | { reason: "terminal-down" }
  | { reason: "case-open"; case: CaseNo }
  | { reason: "acceptor-holds"; acceptor: DeviceId }
  | { reason: "float-open" }
  | { reason: "float-not-open" }
  | { reason: "float-covered" }
  | { reason: "float-not-covered" }
  | { reason: "no-shoe" }
  | { reason: "shoe-in-use" }
  | { reason: "shoe-started" }
  | { reason: "wrong-cut"; most: number }
  | { reason: "must-exchange" }
  | { reason: "not-shuffled" }
  | { reason: "not-burnt"; count: number }
  | { reason: "wrong-burn"; count: number }
  | { reason: "cut-card-out" }
  | { reason: "too-few-cards"; left: number }
  | { reason: "cards-left"; left: number }
  | { reason: "carried-cards-decide" }
  | { reason: "no-carried-cards" }
  | { reason: "no-commitment" }
  | { reason: "reveal-does-not-match" }
  | { reason: "no-such-shoe" }
  | { reason: "rules-not-approved" }
  | { reason: "rules-not-in-force"; from: Timestamp }
  | { reason: "rules-withdrawn"; from: Timestamp }
  | { reason: "unfit-text"; field: string; expected: Grammar }
  | { reason: "settings-refused"; why: string }
  | { reason: "no-such-matter" }
  | { reason: "no-such-dispute" }
  | { reason: "no-such-case" }
  | { reason: "no-such-acceptor" }
  | { reason: "no-such-drop" }
  | { reason: "no-such-slip" }
  | { reason: "no-such-held" }
  | { reason: "no-such-round" }
  | { reason: "no-reason" }
  | { reason: "dealt-it"; person: Person }
  | { reason: "second-person-needed" }
  | { reason: "not-late" }
  | { reason: "no-replacement" }
  | { reason: "ruling-not-allowed" }
  | { reason: "round-stands" }
  | { reason: "amount-typed" }
  | { reason: "push-known" }
  | { reason: "payout-kept" }
  | { reason: "dispute-known" }
  | { reason: "not-keyed" }
  | { reason: "cards-do-not-add-up" }
  | { reason: "number-not-wrong" }
  | { reason: "hands-do-not-lie-so" }
  | { reason: "not-face-down" }
  | { reason: "not-asked" }
  | { reason: "card-not-yet" }
  | { reason: "not-the-highest-bet"; patron: PatronNo | null }
  | { reason: "not-choosing" }
  | { reason: "too-early" }
  | { reason: "dispute-unseen"; dispute: DisputeNo }
  | { reason: "unknown-bet"; bet: BetId }
  | { reason: "box-needed" }
  | { reason: "no-such-box"; boxes: number }
  | { reason: "no-boxes" }
  | { reason: "patron-needed" }
  | { reason: "seat-taken" }
  | { reason: "seat-elsewhere"; box: BoxNo }
  | { reason: "seat-empty" }
  | { reason: "seat-in-play" }
  | { reason: "not-seated" }
  | { reason: "other-stance" }
  | { reason: "no-such-wager" }
  | { reason: "nothing" }
  | { reason: "not-whole-units"; unit: Money }
  | { reason: "more-than-there"; most: Money }
  | { reason: "under-minimum"; least: Money }
  | { reason: "over-maximum"; most: Money }
  | { reason: "over-differential"; most: Money }
  | { reason: "nothing-over" }
  | { reason: "within-limits" }
  | { reason: "payout-too-large"; most: Money }
  | { reason: "bets-stand" }
  | { reason: "not-enough-credits"; credits: Money }
  | { reason: "payout-gone" }
  | { reason: "ticket-not-found" }
  | { reason: "ticket-in-use" }
  | { reason: "ticket-paid" }
  | { reason: "ticket-expired" }
  | { reason: "ticket-void" }
  | { reason: "ticket-tampered" }
  | { reason: "ticket-of-another-currency"; currency: Currency | null }
  | { reason: "no-ticket-number" };

/** A Round that is over. */
export interface Recalled {
  /** The Round. */
  round: RoundNo;
  /** When its bets were opened. */
  opened: Timestamp;
  /** When it was settled or voided, or corrected at last. */
  ended: Timestamp;
  /** How it ended. */
  status: RecalledStatus;
  /** Why it was voided. */
  void: RecalledVoid | null;
  /** The cards, in the order that counts. */
  cards: RecalledCard[];
  /** The result; none where it was void. */
  result: RoundResult | null;
  /** What was staked, in the end. */
  wagers: RecalledWager[];
  /** What became of it, as it counts now. */
  lines: SettledLine[];
  /** One's credits when bets opened; where credits are played with. */
  before: Money | null;
  /** One's credits when it had ended. */
  after: Money | null;
}

/** A card of a Round. */
export interface RecalledCard {
  card: Seen;
  side: Side | null;
}

/** How a Round ended. */
export type RecalledStatus =
  /** Settled. */
  | "settled"
  /** Settled, and put right afterwards. */
  | "corrected"
  /** Void: every bet went back. */
  | "void"
  /** Settled, and voided afterwards. */
  | "undone";

/** Why a Round was voided. */
export interface RecalledVoid {
  kind: IrregularityKind;
  cite: Cite;
}

/** What was staked on a bet. */
export interface RecalledWager {
  patron: PatronNo;
  box: BoxNo | null;
  bet: BetId;
  stake: Money;
}

/** Records an approval. */
export interface RecordApproval {
  /** The game. */
  game: string;
  /** The version of the document; empty where it has none. */
  version: string;
  /** The digest of the rule book's text. */
  digest: Digest;
  /** Who approved. */
  authority: string;
  /** Under which reference. */
  reference: string;
  /** For whom. */
  operator: string;
  /** Which document. */
  document: string;
  /** From when, with the offset from UTC. */
  in_force: Moment;
  /** What was compared with the document, and how. */
  compared: string;
  /** Who signs as well. */
  second: string;
  /** Whether the approval expressly allows cards of software. */
  software_cards?: boolean;
}

/** Records that an approval was withdrawn. */
export interface RecordWithdrawal {
  /** The digest of the rule book's text. */
  digest: Digest;
  /** Why. */
  reason: string;
  /** Who signs as well. */
  second: string;
  /** From when; now, if nothing is said. A Round in play is finished. */
  at?: Moment | null;
}

/** It was recorded. */
export interface Recorded {
  /** The entry of the house. */
  entry: Seq;
}

/** An approval as it was recorded. */
export interface Recording {
  /** The entry of the house that records it. */
  entry: Seq;
  /** Who approved. */
  authority: string;
  /** Under which reference. */
  reference: string;
  /** For whom. */
  operator: string;
  /** Which document. */
  document: string;
  /** From when. */
  in_force: Moment;
  /** Whether cards of software are expressly allowed. */
  software_cards: boolean;
  /** Who recorded it, and who signed with them. */
  by: Person | null;
  /** The second of them. */
  second: Person;
  /** Until when, if it was withdrawn. */
  withdrawn: Timestamp | null;
}

/** Recovery codes. They are told once, and each is good once, whatever the clock says. */
export interface RecoveryCodes {
  /** Each. */
  codes: string[];
}

/** Whether the register of people and devices is as the deeds say. */
export interface RegisterState {
  /** What differs, if something was found that nobody has cleared. */
  tampered?: RegisterTampered | null;
}

/** Rows that differ from their deeds, or that no deed accounts for. */
export interface RegisterTampered {
  /** The entry of the house that says so. */
  failed: Seq;
  /** Which rows. */
  words: string;
}

/** A refusal: its reason, and the paragraph where there is one. */
export type Rejection = Reason & { cite?: Cite | null };

/** The release of the software that decided an entry. */
export type Release = string;

/** What is done about an irregularity. */
export type Remedy =
  /** The excess is rejected while bets are open. */
  | "reject-excess"
  /** The patron raises or withdraws while bets are open. */
  | "raise-or-withdraw"
  /** The box is settled in proportion. */
  | "pro-rata"
  /** The bet wins or loses as it stands. */
  | "play-as-placed"
  /** The bet is settled as any other. */
  | "settle"
  /** The Round is concluded if an outcome has been established, else void. */
  | "conclude-or-void"
  /** The Round goes on; registered bets play, others come back. */
  | "play-registered"
  /** The Round is void and every bet of it comes back. */
  | "void"
  /** The bet is refused. */
  | "refuse"
  /** The cards are dealt again in their order; surplus cards open the next Round. */
  | "reconstruct"
  /** The Round goes on and its result stands. */
  | "continue"
  /** Somebody rules which card came first. */
  | "rule-order"
  /** The patrons choose. */
  | "patrons-choose"
  /** What was settled stands. */
  | "stand"
  /** No refund. */
  | "no-refund"
  /** The Round is settled by the cards. */
  | "correct-to-cards"
  /** What is owed is paid or taken later, as an adjustment. */
  | "adjust"
  /** Somebody decides. */
  | "ruling";

/** Changes one's own password. One's other sessions end. */
export interface Renew {
  /** The password until now. */
  old: string;
  /** At least 12 characters. */
  password: string;
}

/** The answer to an order. */
export interface Reply {
  /** The order. */
  to: OrderId;
  /** What became of it. */
  answer: Answer;
  /** The ticket that it issued, to be printed. Told to the screen that gave the order and nobody else; the same order again, before any other of that device, is told it again. */
  printed?: PrintedTicket | null;
}

/** An irregularity as it is reported: the kind and what is known about it. */
export type Report =
  /** A power failure or the like that affects the Round. */
  | { irregularity: "technical-interruption"; cause?: Cause | null }
  /** After an interruption: the cards that were read, and another list that was confirmed. Found, never reported. */
  | {
      irregularity: "cards-in-dispute";
      read: Seen[];
      confirmed: Card[];
      /** The Dealer who confirmed them too. */
      second?: Person | null;
    }
  /** A card that is not of the set. */
  | { irregularity: "foreign-card"; card: string }
  /** Cards of the set are missing, or there are too many. */
  | {
      irregularity: "shortage-or-excess";
      extra?: Card[];
      missing?: Card[];
      /** The set that was counted, where it is not the one in use. */
      shoe?: ShoeNo | null;
    }
  /** A Hand has a wrong number of cards. Every card on record lies with a Hand or with neither, and so do those that were out and not read. */
  | {
      irregularity: "wrong-number-of-cards";
      /** One value for each Hand. */
      hands: { player: Card[]; banker: Card[] };
      /** Cards that lie with neither Hand. */
      neither?: Card[];
      /** Those of all these cards that were out and not read, in the order they left the shoe. */
      unread?: Card[];
    }
  /** The device holds too few cards to complete the Round. */
  | {
      irregularity: "shoe-exhausted";
      /** How many it holds, where somebody looked; none where the record itself has no card left. */
      left?: number | null;
    }
  /** The cards were not shuffled. */
  | { irregularity: "not-shuffled" }
  /** Chips that appeared after "No more Bets". */
  | { irregularity: "late-bet"; patron: PatronNo; bet: BetId; stake: Money; box?: BoxNo | null }
  /** Cards that were drawn in excess or exposed and are not yet recorded. */
  | { irregularity: "excess-or-exposed-card"; cards?: Card[] }
  /** Cards lie on the other side, or with the person accepting the other Hand; `hands` is how they lie. */
  | {
      irregularity: "wrong-side";
      /** One value for each Hand. */
      hands: { player: Card[]; banker: Card[] };
    }
  /** Cards came face up on a table that deals face down. */
  | {
      irregularity: "face-up";
      /** Which, counted from 1; all that lie face down if none are named. */
      cards?: number[];
    }
  /** Cards left the shoe together: `cards` that are not yet recorded, or those that were drawn at these `places`. */
  | {
      irregularity: "simultaneous-draw";
      cards?: Card[];
      /** Surveillance saw which came first. */
      order_known?: boolean;
      /** Counted from 1 in drawing order. */
      places?: number[];
    }
  /** Any other dealing error. */
  | { irregularity: "other-dealing-error"; words: string }
  /** An error of an earlier Round. */
  | { irregularity: "late-discovery"; round: RoundNo; words: string }
  /** A bet that its owner did not mean. */
  | {
      irregularity: "bet-placed-in-error";
      patron: PatronNo;
      words: string;
      /** The member of staff through whom the error was made, if it was. */
      through?: Person | null;
    }
  /** A result that was registered otherwise than the cards show. */
  | { irregularity: "wrong-result"; round: RoundNo; words: string }
  /** A patron left with bets standing. */
  | { irregularity: "walk-away"; patron: PatronNo }
  /** What the rules do not provide for. */
  | { irregularity: "uncovered"; words: string };

/** An irregularity as it is reported: the kind and what is known about it. */
export type ReportTold =
  /** A power failure or the like that affects the Round. */
  | { irregularity: "technical-interruption"; cause?: Cause | null }
  /** After an interruption: the cards that were read, and another list that was confirmed. Found, never reported. */
  | {
      irregularity: "cards-in-dispute";
      read: Seen[];
      confirmed: Card[];
      /** The Dealer who confirmed them too. */
      second?: Person | null;
    }
  /** A card that is not of the set. */
  | { irregularity: "foreign-card"; card: string }
  /** Cards of the set are missing, or there are too many. */
  | {
      irregularity: "shortage-or-excess";
      missing: Card[];
      extra: Card[];
      /** The set that was counted, where it is not the one in use. */
      shoe?: ShoeNo | null;
    }
  /** A Hand has a wrong number of cards. Every card on record lies with a Hand or with neither, and so do those that were out and not read. */
  | {
      irregularity: "wrong-number-of-cards";
      /** One value for each Hand. */
      hands: { player: Card[]; banker: Card[] };
      /** Cards that lie with neither Hand. */
      neither?: Card[];
      /** Those of all these cards that were out and not read, in the order they left the shoe. */
      unread?: Card[];
    }
  /** The device holds too few cards to complete the Round. */
  | {
      irregularity: "shoe-exhausted";
      /** How many it holds, where somebody looked; none where the record itself has no card left. */
      left?: number | null;
    }
  /** The cards were not shuffled. */
  | { irregularity: "not-shuffled" }
  /** Chips that appeared after "No more Bets". */
  | { irregularity: "late-bet"; patron: PatronNo; bet: BetId; stake: Money; box?: BoxNo | null }
  /** Cards that were drawn in excess or exposed and are not yet recorded. */
  | { irregularity: "excess-or-exposed-card"; cards: Card[] }
  /** Cards lie on the other side, or with the person accepting the other Hand; `hands` is how they lie. */
  | {
      irregularity: "wrong-side";
      /** One value for each Hand. */
      hands: { player: Card[]; banker: Card[] };
    }
  /** Cards came face up on a table that deals face down. */
  | {
      irregularity: "face-up";
      /** Which, counted from 1; all that lie face down if none are named. */
      cards?: number[];
    }
  /** Cards left the shoe together: `cards` that are not yet recorded, or those that were drawn at these `places`. */
  | {
      irregularity: "simultaneous-draw";
      cards: Card[];
      /** Surveillance saw which came first. */
      order_known: boolean;
      /** Counted from 1 in drawing order. */
      places?: number[];
    }
  /** Any other dealing error. */
  | { irregularity: "other-dealing-error"; words: string }
  /** An error of an earlier Round. */
  | { irregularity: "late-discovery"; round: RoundNo; words: string }
  /** A bet that its owner did not mean. */
  | {
      irregularity: "bet-placed-in-error";
      patron: PatronNo;
      words: string;
      /** The member of staff through whom the error was made, if it was. */
      through?: Person | null;
    }
  /** A result that was registered otherwise than the cards show. */
  | { irregularity: "wrong-result"; round: RoundNo; words: string }
  /** A patron left with bets standing. */
  | { irregularity: "walk-away"; patron: PatronNo }
  /** What the rules do not provide for. */
  | { irregularity: "uncovered"; words: string };

/** Asks that somebody's second factor be removed, who cannot show it any more. */
export interface ResetFactor {
  /** Whose. */
  person: string;
  /** Who agrees: another Administrator, or a Table Games Shift Manager or above. */
  second: string;
  /** Why, and how it was made sure that it is them who ask. */
  reason: string;
}

/** Says that one has looked into a restoration of Administrators. Screens say so no longer when they next come in. */
export interface RestorationSeen {
  /** The entry of the house that restored them. */
  restored: Seq;
  /** What was found. */
  reason: string;
}

/** What settles a Round (interpretation 19). */
export type ResultBy =
  /** The Dealer confirms the result. */
  | "confirmed"
  /** The last card. */
  | "automatic";

/** A stake, or a part of one, that goes back to its owner. */
export interface Return {
  patron: PatronNo;
  bet: BetId;
  amount: Money;
  box?: BoxNo | null;
  side?: Side | null;
}

/** How a long streak is drawn once it has turned right. */
export type RoadTail =
  /** It keeps right. */
  | "sticky"
  /** It goes down again where there is room. */
  | "redescend";

/** The roads as JSON. `o` is the outcome, `n` the Round from 0, `bp` and `pp` the pairs, `nat` a Natural; `r` and `b` are colours of derived roads, and an empty text in `ask` says that nothing would be added. */
export interface RoadsView {
  bead: Bead[];
  leading_ties: number;
  big_road: BigRoad;
  /** One value for each derived road. */
  ask: { big_eye_boy: Ask; small_road: Ask; cockroach_pig: Ask };
  big_eye_boy: DerivedRoad;
  small_road: DerivedRoad;
  cockroach_pig: DerivedRoad;
}

/** What a member of staff is employed as: a post on the floor, or one beside it. One person, one role. */
export type Role =
  /** Deals. */
  | "dealer"
  /** Rules on what the documents leave to a Pit Supervisor. */
  | "pit-supervisor"
  /** Pit Manager. */
  | "pit-manager"
  /** Table Games Shift Manager. */
  | "shift-manager"
  /** Duty Manager. */
  | "duty-manager"
  /** Credits and tickets. */
  | "cashier"
  /** Reads everything, changes nothing. */
  | "auditor"
  /** Tables, devices, staff; no money, no rulings. */
  | "administrator";

/** A Round of play at one table, counted from 1 and never used again. */
export type RoundNo = number;

/** A receipt of a patron's wagers in a Round. */
export interface RoundReceipt {
  /** The receipt, to be saved byte by byte. */
  receipt: string;
  /** Entries about the patron's wagers that are not in it, because other people or members of staff are named in them. */
  withheld: number;
}

/** The result that the cards show. */
export interface RoundResult {
  /** In the order in which they count. */
  cards: Card[];
  /** One value for each Hand. */
  points: { player: number; banker: number };
  winner: Winner;
  natural: boolean;
  /** One value for each Hand. */
  pairs: { player: boolean; banker: boolean };
}

/** How many Rounds. */
export interface Rounds {
  /** At most. */
  limit?: number;
}

/** A rule book, as approved. */
export interface RulebookText {
  /** The text. */
  rulebook: string;
}

/** Rule books and what the house has recorded about them. */
export interface Rules {
  /** What the ledger is for. Only a house asks for approvals. */
  kind: LedgerKind;
  /** Every text that is shipped or that something was recorded about. */
  rules: RulesListed[];
  /** The interpretations as shipped. */
  interpretations: Interpretations;
}

/** A rule book, known by the digest of its text. */
export interface RulesListed {
  /** The game. */
  game: string;
  /** The version of the document, where it has one. */
  version: string;
  /** The digest of the text. */
  digest: Digest;
  /** Whether it comes with this software. */
  shipped: boolean;
  /** How it stands now. */
  state: RulesState;
  /** What was recorded last about it. */
  approval: Recording | null;
}

/** How a text stands. */
export type RulesState =
  /** No approval is on record. */
  | "pending"
  /** Approved, and not in force yet. */
  | "approved"
  /** In force. */
  | "in-force"
  /** Withdrawn. */
  | "withdrawn";

/** What is decided about a matter. */
export type Ruling =
  /** The Round is void; every bet of it goes back. */
  | { ruling: "void" }
  /** There was nothing of the kind; a card that was read wrongly is this one. */
  | { ruling: "misread"; card?: Card | null }
  /** The cards are dealt again in the order they were drawn; what is left over opens the next Round. */
  | { ruling: "reconstruct" }
  /** The cards cannot be reconstructed and the Hands stay as they lie, as if drawn in this order. */
  | { ruling: "as-they-lie"; order: Card[] }
  /** All cards of the Round in the order that counts. */
  | { ruling: "in-order"; order: Card[] }
  /** The Round goes on. */
  | { ruling: "continue" }
  /** What was settled stands. */
  | { ruling: "stand" }
  /** The Round is settled anew by these cards. */
  | { ruling: "correct"; cards: Card[] }
  /** What is still owed for an earlier Round, computed from its wagers. */
  | {
      ruling: "adjust";
      /** Amounts as the first release let somebody type them; refused since. */
      adjustments?: Adjustment[];
      /** The cards as ruled; none where they were right. */
      cards?: Card[];
      /** The Round, where the report does not name it. */
      round?: RoundNo | null;
    };

/** What is decided, in one word. */
export const RulingWord = ["void", "misread", "reconstruct", "as-they-lie", "in-order", "continue", "stand", "correct", "adjust"] as const;
export type RulingWord = (typeof RulingWord)[number];

/** What a screen says to the server. */
export type Said =
  /** The first message of every socket. */
  | { hello: Hello }
  /** An order for the table. `at` is what the server's clock says when it arrives, whatever is written there. */
  | { order: Order }
  /** An order that was signed for: void, correction, ruling, and whatever names a second person. */
  | { approved: Approved }
  /** Asks for the time, and shows that somebody is there. */
  | { ping: number };

/** What kind of screen looks at a table. */
export type Screen =
  /** A display board. */
  | "board"
  /** A Player Terminal. */
  | "terminal"
  /** The Game Console: a device, and a member of floor staff signed in at it. */
  | "console"
  /** A card reader: draws cards and nothing else. */
  | "reader"
  /** A note acceptor: says what it took and nothing else. */
  | "acceptor"
  /** The pit: Pit Supervisor and above, signed in. */
  | "pit"
  /** The cage: a Cashier, signed in. */
  | "cage"
  /** An Auditor, signed in. */
  | "auditor";

/** Names the second person of something that takes two, and why it is done. */
export interface SecondAsked {
  /** Who agrees: an Administrator, or a Table Games Shift Manager or above. */
  second: string;
  /** Why. */
  reason: string;
}

/** The parts of a `View` that are different now. */
export interface Sections {
  /** Money in acceptors; pit, cage and auditor. */
  acceptors?: AcceptorsView | null;
  /** Everybody's credits; pit, cage and auditor. */
  accounts?: AccountView[] | null;
  /** The cards, as they lie. */
  cards?: CardView[];
  /** Cards that open the next Round. */
  carried?: Card[];
  /** Notes that were not credited and tickets that nobody took; console, pit and auditor. */
  cases?: CaseView[] | null;
  /** When bets or choices close. */
  closes_at?: Timestamp | null;
  /** The Round announced as the last. */
  closing?: RoundNo | null;
  /** How often each outcome came. */
  counters?: Counters;
  /** What the Table of Play has decided, where everybody may know. */
  decisions?: DecisionView[];
  /** What breaks a limit while bets are open; console, pit and auditor. */
  flags?: [BoxNo, Flag[]][] | null;
  /** Chips in the tray, as far as the record knows; console, pit and auditor, where chips are played with. */
  float?: number | null;
  /** Who works at the table and what is asked of them; console, pit and auditor. */
  floor?: FloorView | null;
  /** Payouts that are held; console, pit and auditor. */
  held_payouts?: HeldPayoutView[] | null;
  /** The House's own figures; pit and auditor. */
  house?: HouseView | null;
  /** The Round before. */
  last?: LastView | null;
  /** The orders that floor staff can give now, each with the least post that can; console and pit, where somebody may come and sign for one. */
  least?: [CommandKind, Post][] | null;
  /** What is to be ruled; console, pit and auditor. */
  matters?: MatterView[] | null;
  /** Whose card is next, where everybody may know. */
  next?: Side | null;
  /** One's own money; terminals only. */
  own?: OwnView | null;
  /** Where it stands. */
  phase?: PhaseWord;
  /** Point Totals, where everybody may know. */
  points?: { player: number; banker: number } | null;
  /** The orders that this audience may give now. */
  possible?: CommandKind[];
  /** The result, once it is there for everybody to see. */
  result?: RoundResult | null;
  /** The roads of the shoe. They inform; the cards decide. */
  roads?: RoadsView;
  /** The Round in play, or the last one. */
  round?: RoundNo;
  /** Who sits at which box; console, pit and auditor. */
  seats?: [BoxNo, PatronNo][] | null;
  /** Credits that were set aside and wait for a review; pit, cage and auditor. */
  set_aside?: SetAsideView[] | null;
  /** The shoe. */
  shoe?: ShoeView | null;
  /** What the table offers; none before it was first opened. */
  table?: TableView | null;
  /** Every wager, in the order of boxes; console, pit and auditor. */
  wagers?: WagerView[] | null;
}

/** What came out of the shoe, as far as it is known. In JSON a word: `As`, `unreadable`, `covered`, `foreign:joker`. */
export type Seen = string;

/** The place of an entry in a table's record, from 1. */
export type Seq = number;

/** A session. */
export interface Session {
  /** Who is signed in. */
  person: Person;
  /** Their name, as it is shown. */
  name: string;
  /** What they are employed as. */
  role: Role;
  /** The public name of the session, as in the house's record. */
  session: string;
  /** With a cookie, every request that changes anything has this in the header `x-punto-csrf`. */
  csrf: string;
  /** When the session ends, however much it is used. */
  until: Timestamp;
  /** After how many milliseconds without use it ends before that. */
  idle: number;
  /** How the second factor stands. */
  factor: FactorState;
  /** What was done to one's account in the last 30 days, and by whom. It is told at every sign-in, so that nobody who came in under this name can keep it from its owner. */
  account?: AccountChange[];
  /** When somebody signed in under this name before. */
  before?: Timestamp | null;
  /** The session itself, if it was asked for as a token. */
  token?: string | null;
}

/** A session, by the name that opens nothing. */
export type SessionId = string;

/** Credits that were set aside and wait for the Shift Manager's review. */
export interface SetAsideView {
  slip: SlipNo;
  patron: PatronNo;
  amount: Money;
  by: Person;
  attendant: Person;
}

/** Everything that is fixed when a table opens. */
export interface Settings {
  /** The table. */
  table: TableId;
  /** The game, as its rule book names it. */
  game: string;
  /** The layout. */
  layout: string;
  /** Decks in the shoe. */
  decks: number;
  /** After how many minutes without a bet credits may be set aside (interpretation 45). */
  abandoned_minutes?: number;
  /** Minimum and maximum of side bets; on the electronic game of every bet. */
  bets?: Record<string, Range>;
  /** Minimum and Differential of a box. Live games must have them. */
  betting_box?: BoxLimits | null;
  /** How long bets are open. */
  betting_seconds?: number;
  /** Betting boxes; by default as many as the layout shows, or 7 where its picture is lost (interpretation 5). */
  boxes?: number | null;
  /** The burn after a shoe is loaded. */
  burn?: Burn;
  /** Real or software cards. */
  cards?: Cards;
  /** How long patrons have to choose (interpretation 25). */
  choice_seconds?: number;
  /** The currency. Amounts are in its minor unit. */
  currency?: Currency;
  /** Cards behind the cut card. */
  cut_card?: number;
  /** The chips in the float, where patrons bet with chips: the unit then makes every payout a sum of them (interpretation 51). */
  denominations?: Money[];
  /** The card device. */
  device?: CardDevice;
  /** How long the next Round waits at most until a Pit Supervisor has seen a dispute (interpretation 43). */
  dispute_seconds?: number;
  /** By bets offered or placed. */
  established_by?: EstablishedBy;
  /** Face up or face down. */
  faces?: Faces;
  /** When a gaming day begins, local time. */
  gaming_day?: string;
  /** Enforced or observed. */
  limits?: LimitsMode;
  /** How long other limits are announced before they apply (interpretation 48). */
  limits_notice_seconds?: number;
  /** Credits or chips. */
  money?: MoneyKind;
  /** The same for bets that are not named there. */
  other_bets?: Range | null;
  /** The pit that the table belongs to. */
  pit?: Pit;
  /** Whose orders of a post are taken. */
  posts?: PostsBy;
  /** Confirmed or automatic; by default confirmed with real cards, automatic with software's. */
  result?: ResultBy | null;
  /** Road tails. */
  road_tail?: RoadTail;
  /** How long a ticket lives. */
  ticket_days?: number;
  /** The time zone of the floor. */
  time_zone?: string;
  /** The chip unit; by default the smallest that pays everything exactly (interpretation 8). */
  unit?: Money | null;
}

/** Everything that is fixed when a table opens. */
export interface SettingsTold {
  /** The table. */
  table: TableId;
  /** The game, as its rule book names it. */
  game: string;
  /** The layout. */
  layout: string;
  /** Decks in the shoe. */
  decks: number;
  /** Betting boxes; by default as many as the layout shows, or 7 where its picture is lost (interpretation 5). */
  boxes: number | null;
  /** The currency. Amounts are in its minor unit. */
  currency: Currency;
  /** The chip unit; by default the smallest that pays everything exactly (interpretation 8). */
  unit: Money | null;
  /** Minimum and Differential of a box. Live games must have them. */
  betting_box: BoxLimits | null;
  /** Minimum and maximum of side bets; on the electronic game of every bet. */
  bets: Record<string, Range>;
  /** The same for bets that are not named there. */
  other_bets: Range | null;
  /** Enforced or observed. */
  limits: LimitsMode;
  /** Credits or chips. */
  money: MoneyKind;
  /** The card device. */
  device: CardDevice;
  /** Real or software cards. */
  cards: Cards;
  /** Face up or face down. */
  faces: Faces;
  /** How long bets are open. */
  betting_seconds: number;
  /** How long patrons have to choose (interpretation 25). */
  choice_seconds: number;
  /** Confirmed or automatic; by default confirmed with real cards, automatic with software's. */
  result: ResultBy | null;
  /** By bets offered or placed. */
  established_by: EstablishedBy;
  /** The burn after a shoe is loaded. */
  burn: Burn;
  /** Cards behind the cut card. */
  cut_card: number;
  /** Road tails. */
  road_tail: RoadTail;
  /** When a gaming day begins, local time. */
  gaming_day: string;
  /** The time zone of the floor. */
  time_zone: string;
  /** How long a ticket lives. */
  ticket_days: number;
  /** After how many minutes without a bet credits may be set aside (interpretation 45). */
  abandoned_minutes?: number;
  /** The chips in the float, where patrons bet with chips: the unit then makes every payout a sum of them (interpretation 51). */
  denominations?: Money[];
  /** How long the next Round waits at most until a Pit Supervisor has seen a dispute (interpretation 43). */
  dispute_seconds?: number;
  /** How long other limits are announced before they apply (interpretation 48). */
  limits_notice_seconds?: number;
  /** The pit that the table belongs to. */
  pit?: Pit;
  /** Whose orders of a post are taken. */
  posts?: PostsBy;
}

/** What became of one wager. */
export interface SettledLine {
  /** Whose. */
  patron: PatronNo;
  /** On what. */
  bet: BetId;
  /** What was staked. */
  stake: Money;
  /** How much of it played (5.1.1). */
  playing: Money;
  /** Won, lost or returned. */
  verdict: VerdictWord;
  /** What comes back unplayed, or by a return. */
  returned: Money;
  /** Paid on top, net of commission. */
  winnings: Money;
  /** What the House kept of gross winnings. */
  commission: Money;
  /** All that goes to the patron. */
  to_patron: Money;
  /** In which box; none on the electronic game. */
  box?: BoxNo | null;
  /** The paragraph of the row that decided. */
  cite?: Cite | null;
  /** The odds of a win. */
  pays?: Odds | null;
}

/** A shift, as the floor calls it. */
export type ShiftName = string;

/** A shoe, or a filling of a shuffler, at one table. */
export type ShoeNo = number;

/** The cards in use. */
export interface ShoeView {
  shoe: ShoeNo;
  card_set: CardSet;
  left: number | null;
  cards: number;
  cut_card_out: boolean;
  /** The burn that is still to be done. */
  burn_due: Burn | null;
  must_exchange: Cite | null;
}

/** Shows once more that it is oneself. */
export interface ShowAgain {
  /** One's password. */
  password: string;
  /** A code of the second factor that one has, or a recovery code. */
  code?: string | null;
}

/** The Player Hand or the Banker Hand. (A person who bets is a patron, never a "player", in this code.) */
export const Side = ["player", "banker"] as const;
export type Side = (typeof Side)[number];

/** Signs in. */
export interface SignIn {
  /** Who. */
  person: string;
  /** Their password. */
  password: string;
  /** The code that the app of their second factor shows, or a recovery code. Whoever has no second factor needs none. */
  code?: string | null;
  /** For programs: the session as a token in the answer, to be sent as `Authorization: Bearer`. A browser gets it as a cookie that no script can read. */
  token?: boolean;
}

/** Has something done that waited for a signature. */
export interface SignedDeed {
  /** What was signed. */
  pending: string;
}

/** A checkpoint. */
export interface SignedText {
  /** The signed text; none before the first. */
  checkpoint: string | null;
}

/** Somebody who must sign. */
export interface Signer {
  /** Who. */
  person: Person;
  /** Their name, as it is shown. */
  name: string;
  /** What they are employed as. */
  role: Role;
  /** Whether they have signed. */
  signed: boolean;
}

/** A slip that a patron gets, or that is kept for one, for money that is not paid yet; counted at one table. */
export type SlipNo = number;

/** How a card came to be known. */
export type Source =
  /** Read by the device. */
  | "read"
  /** Keyed by hand. */
  | "keyed"
  /** Carried over from the Round before. */
  | "carried";

/** Somebody would like to squeeze a card. */
export interface SqueezeView {
  patron: PatronNo;
  card: number;
}

/** What is to be different about a member of staff. What is left out stays. */
export interface StaffChange {
  /** Whether they may come in. If not, all sessions end. */
  enabled?: boolean | null;
  /** A new invitation; one that was given before is no longer good. All sessions end: whoever is at work learns of it. The password stays good until another one is chosen. */
  invite?: boolean;
  /** Another name. */
  name?: string | null;
  /** Another role. All sessions end. */
  role?: Role | null;
}

/** A change of staff that two people answer for. */
export interface Staffing {
  /** What is to be done. */
  what: StaffingWhat;
  /** Who agrees: an Administrator, or a Table Games Shift Manager or above. */
  second: string;
  /** Why. */
  reason: string;
}

/** What is to be done. */
export type StaffingWhat =
  /** Takes somebody on. */
  | { hire: Hire }
  /** Changes what somebody is or may, or invites them again. */
  | { change: ChangeOf };

/** Sitting at the box, or betting on a Seated Player's box. */
export const Stance = ["seated", "standing"] as const;
export type Stance = (typeof Stance)[number];

/** How the software of a table does. */
export type Status =
  /** It runs. */
  | { is: "running" }
  /** The ledger failed. No bet is registered until the table is back. */
  | {
      is: "stopped";
      /** What happened, for people. */
      words: string;
    }
  /** Its books did not balance, or its record is not as it was signed for. */
  | {
      is: "locked";
      /** What is wrong. */
      words: string;
    }
  /** The order of its software shoe cannot be kept or read. No Round opens before there is a shoe. */
  | {
      is: "no-shoe";
      /** What is wrong. */
      words: string;
    }
  /** The server goes down in order. */
  | { is: "closing" };

/** Stops a reset. */
export interface StopReset {
  /** The entry of the house that began it. */
  begun: Seq;
  /** One's password. */
  password: string;
  /** A code of one's second factor, or a recovery code. */
  code?: string | null;
}

/** A table of the floor. */
export type TableId = string;

/** A table, and how it stands. */
export interface TableListed {
  /** Its name. */
  table: TableId;
  /** The last entry. */
  seq: Seq;
  /** The game, by its id; none before the table was first opened. */
  game: string | null;
  /** The layout. */
  layout: string | null;
  /** The phase. */
  phase: PhaseWord;
  /** The Round in play, or the last one. */
  round: RoundNo;
  /** Cards left in the shoe, where that is known. */
  cards_left: number | null;
  /** Matters that wait for a ruling. */
  matters: number;
  /** What the House won, in minor units. */
  won: number;
  /** Screens that look at it. */
  screens: number;
  /** How its software does. */
  status: Status;
}

/** What a table offers, as displayed at it (3.4). */
export interface TableView {
  table: TableId;
  game: string;
  title: Label;
  version: number | null;
  mode: Mode;
  layout: string;
  decks: number;
  boxes: number | null;
  currency: string;
  unit: Money;
  betting_box: BoxLimits | null;
  limits: LimitsMode;
  limits_cite: Cite;
  /** Other limits, and from when they apply. */
  announced: Announced | null;
  money: MoneyKind;
  device: CardDevice;
  cards: Cards;
  faces: Faces;
  result: ResultBy;
  betting_seconds: number;
  bets: BetView[];
  /** Displays inform, the cards decide. */
  display_cite: Cite | null;
}

/** What can be said about a ticket. */
export interface Ticket {
  /** Its serial; the number of a ticket of release 0.1.0, which has none. */
  ticket: TicketNo;
  /** How it stands. */
  state: TicketWord;
  /** What it is worth, while it is good or has expired. */
  amount: Money | null;
  /** In which currency, where the record says so. */
  currency: Currency | null;
}

/** A key that ticket numbers are derived with. */
export type TicketKeyId = string;

/** A ticket, as the record calls it: `T1/17`, the table and the entry that issued it. In release 0.1.0 it was the number on the paper; in an order it is what somebody presents, until the house has found the ticket. */
export type TicketNo = string;

/** How the ticket of a number is found: a keyed digest of the number, and by which key. Says nothing without the key. */
export interface TicketTag {
  /** The key. */
  key: TicketKeyId;
  /** HMAC-SHA-256 over the ledger and the number. */
  digest: Digest;
}

/** How a ticket stands. */
export const TicketWord = ["good", "not-found", "in-use", "paid", "expired", "void", "tampered"] as const;
export type TicketWord = (typeof TicketWord)[number];

/** Milliseconds since the beginning of 1970, UTC. */
export type Timestamp = number;

/** What the server tells a screen. */
export type Told =
  /** The answer to a hello. */
  | { welcome: Welcome }
  /** Everything that the screen may see: a `View`. */
  | { view: View }
  /** What one commit brought. */
  | { frame: Frame }
  /** The answer to an order. */
  | { reply: Reply }
  /** How the table's software does. */
  | { status: Status }
  /** The answer to a ping. */
  | { pong: Pong }
  /** The server hangs up, for this reason. */
  | { goodbye: Goodbye };

/** Won, lost or returned. */
export const VerdictWord = ["won", "lost", "returned"] as const;
export type VerdictWord = (typeof VerdictWord)[number];

/** The software and the rule books were looked at. */
export interface Verified {
  /** The digest of the program. */
  software: string;
  /** Whether it is the program that was started. */
  same: boolean;
}

/** A table as somebody may see it. */
export interface View {
  /** The record up to which it holds. */
  seq: Seq;
  /** The time of the last entry. */
  now: Timestamp;
  /** What the table offers; none before it was first opened. */
  table: TableView | null;
  /** Where it stands. */
  phase: PhaseWord;
  /** The Round in play, or the last one. */
  round: RoundNo;
  /** When bets or choices close. */
  closes_at: Timestamp | null;
  /** The Round announced as the last. */
  closing: RoundNo | null;
  /** The shoe. */
  shoe: ShoeView | null;
  /** The cards, as they lie. */
  cards: CardView[];
  /** Whose card is next, where everybody may know. */
  next: Side | null;
  /** What the Table of Play has decided, where everybody may know. */
  decisions: DecisionView[];
  /** Point Totals, where everybody may know. */
  points: { player: number; banker: number } | null;
  /** The result, once it is there for everybody to see. */
  result: RoundResult | null;
  /** Cards that open the next Round. */
  carried: Card[];
  /** The Round before. */
  last: LastView | null;
  /** The roads of the shoe. They inform; the cards decide. */
  roads: RoadsView;
  /** How often each outcome came. */
  counters: Counters;
  /** One's own money; terminals only. */
  own: OwnView | null;
  /** Every wager, in the order of boxes; console, pit and auditor. */
  wagers: WagerView[] | null;
  /** Who sits at which box; console, pit and auditor. */
  seats: [BoxNo, PatronNo][] | null;
  /** What breaks a limit while bets are open; console, pit and auditor. */
  flags: [BoxNo, Flag[]][] | null;
  /** Everybody's credits; pit, cage and auditor. */
  accounts: AccountView[] | null;
  /** Notes that were not credited and tickets that nobody took; console, pit and auditor. */
  cases: CaseView[] | null;
  /** Money in acceptors; pit, cage and auditor. */
  acceptors: AcceptorsView | null;
  /** Credits that were set aside and wait for a review; pit, cage and auditor. */
  set_aside: SetAsideView[] | null;
  /** Payouts that are held; console, pit and auditor. */
  held_payouts: HeldPayoutView[] | null;
  /** What is to be ruled; console, pit and auditor. */
  matters: MatterView[] | null;
  /** Who works at the table and what is asked of them; console, pit and auditor. */
  floor: FloorView | null;
  /** Chips in the tray, as far as the record knows; console, pit and auditor, where chips are played with. */
  float: number | null;
  /** The House's own figures; pit and auditor. */
  house: HouseView | null;
  /** The orders that this audience may give now. */
  possible: CommandKind[];
  /** The orders that floor staff can give now, each with the least post that can; console and pit, where somebody may come and sign for one. */
  least: [CommandKind, Post][] | null;
}

/** Whose record it is. As text `house` or `table/T1`: in stores, checkpoints, exports and proofs, always exactly as it was written, because links and signatures are over it. */
export type Volume = string;

/** A wager that stands. */
export interface WagerView {
  patron: PatronNo;
  box: BoxNo | null;
  stance: Stance | null;
  bet: BetId;
  stake: Money;
  playing: Money;
  /** The patron was told that it is outside its limits. */
  advised?: boolean;
  /** What of the stake is no whole unit and goes back when bets close. */
  odd?: Money | null;
  /** The range of a side bet that the stake is outside of; only where chips were recorded as they lie. */
  outside?: Range | null;
}

/** A reset that waits for its delay. */
export interface WaitingReset {
  /** The entry of the house that began it. */
  begun: Seq;
  /** Whose second factor it is. */
  person: Person;
  /** Who agreed. */
  second: Person;
  /** Why. */
  reason: string;
  /** When it is carried out, unless somebody stops it. */
  due: Timestamp;
  /** Who asked for it. */
  by?: Person | null;
}

/** The answer to a hello. A view follows. */
export interface Welcome {
  /** The table. */
  table: TableId;
  /** What kind of screen one is. */
  screen: Screen;
  /** The device in whose name orders are given; none for those who give none. */
  device: string | null;
  /** The last number of this device that the table has carried out or refused. Go on above it. */
  last: number;
  /** The server's clock. */
  now: Timestamp;
  /** Whether there is real money behind it. */
  kind: LedgerKind;
  /** How the table's software does. */
  status: Status;
  /** Administrators were restored at the host, by this entry of the house, and none of them has looked into it yet: every screen says so. */
  restored?: Seq | null;
  /** Orders that take a password on the spot, whoever gives them; told where staff work. */
  signed?: CommandKind[];
}

/** What of the record. */
export interface What {
  /** One gaming day, as in 2026-11-14. */
  day?: string | null;
  /** From this time on, in milliseconds since 1970. */
  from?: number | null;
  /** One table. */
  table?: TableId | null;
  /** Until before this time. */
  until?: number | null;
}

/** A question about both Hands at once: pairs, suited pairs or Naturals. */
export type Which =
  | "player" | "banker" | "both" | "neither"
  /** Exactly one Hand. */
  | "exactly-one"
  /** At least one Hand. */
  | "either"
  /** Both Hands, of one rank. Pairs only. */
  | "twin"
  /** The winning Hand; nobody on a Tie. Naturals only. */
  | "winner";

/** Who has the higher Point Total (3.13), or a Tie (3.14). */
export const Winner = ["player", "banker", "tie"] as const;
export type Winner = (typeof Winner)[number];

/** The witnesses of this ledger. */
export interface WitnessList {
  /** What they say together. */
  history: History;
  /** Those in use. */
  witnesses: WitnessListed[];
}

/** A witness. */
export interface WitnessListed {
  /** Its name. */
  witness: WitnessName;
  /** Where it is. */
  address: string;
  /** The name under which it keeps this ledger. */
  origin: string;
  /** How it stands. */
  state: WitnessState;
  /** Entries that it has confirmed. */
  size: number;
  /** Entries under the last checkpoint that it does not have yet. */
  lag: number;
  /** When it confirmed them, since the start. */
  at?: Timestamp | null;
  /** The entry of the house that says that it keeps another history. */
  contested?: Seq | null;
  /** The key that it signs with; a folder has none. */
  key?: string | null;
  /** What it keeps instead. */
  other?: Contest | null;
  /** Why it did not confirm the last time it was asked. */
  words?: string | null;
}

/** A witness: somebody elsewhere who keeps checkpoints of this ledger. */
export type WitnessName = string;

/** How a witness stands. */
export type WitnessState =
  /** It was not asked since the start. */
  | "not-asked"
  /** It has confirmed this history since the start. */
  | "confirmed"
  /** It keeps another history. */
  | "contested"
  /** It has not confirmed anything since the start, and cannot be reached or has nothing to say. */
  | "unreachable";

/** Where orders are listed. */
export type Topic = "table" | "shoe" | "devices" | "play" | "wagers" | "dealing" | "matters" | "payments" | "float" | "people";

export const TOPIC_OF: Record<CommandKind, Topic> = {
  "open-table": "table",
  "change-settings": "table",
  "change-limits": "table",
  "announce-closing": "table",
  "close-table": "table",
  "load-shoe": "shoe",
  "inspect-cards": "shoe",
  "cut-cards": "shoe",
  "burn-cards": "shoe",
  "retire-shoe": "shoe",
  "exchange-shoe": "shoe",
  "reconcile-shoe": "shoe",
  "reveal-shoe": "devices",
  "rule-carried-cards": "shoe",
  "open-bets": "play",
  "close-bets": "play",
  "place-wager": "wagers",
  "withdraw-wager": "wagers",
  "record-chips": "wagers",
  "reject-excess": "wagers",
  "advise": "wagers",
  "amend-wager": "wagers",
  "ask-squeeze": "wagers",
  "hand-cards": "wagers",
  "grant-squeeze": "dealing",
  "draw-card": "dealing",
  "read-card": "dealing",
  "correct-card": "play",
  "turn-cards": "play",
  "confirm-cards": "dealing",
  "confirm-result": "play",
  "report": "matters",
  "rule": "matters",
  "choose": "matters",
  "close-choices": "play",
  "buy-credits": "payments",
  "accept-note": "devices",
  "report-case": "payments",
  "settle-case": "payments",
  "empty-acceptor": "payments",
  "count-acceptor": "payments",
  "redeem-ticket": "payments",
  "cash-out": "payments",
  "collect": "payments",
  "record-push": "payments",
  "hold-payout": "payments",
  "decide-held": "payments",
  "extend-hold": "payments",
  "keep-unclaimed": "payments",
  "review-set-aside": "payments",
  "pay-unclaimed": "payments",
  "open-float": "float",
  "close-float": "float",
  "fill": "float",
  "credit": "float",
  "cover-float": "float",
  "uncover-float": "float",
  "drop": "float",
  "take-seat": "people",
  "leave-seat": "people",
  "lose-terminal": "devices",
  "restore-terminal": "devices",
  "open-dispute": "table",
  "bundle-dispute": "table",
  "see-dispute": "table",
  "close-dispute": "table",
  "take-post": "people",
  "leave-post": "people",
  "start-shift": "people",
  "note-clock": "devices",
};
