//! Names of months.

/// The month of a name, whatever its case, in about forty languages.
///
/// The few names that two languages give to different months (`listopad` is November in Polish and Czech, October in
/// Croatian) stand for the language with more pages.
pub(super) fn month(word: &str) -> Option<u8> {
    // The longest name has LONGEST bytes; lower case of a few capitals is longer than they are, never twice.
    if word.len() > 2 * LONGEST || word.len() < 2 {
        return None;
    }
    let lower = lower(word);
    MONTHS.binary_search_by(|(name, _)| (*name).cmp(lower.as_str())).ok().map(|at| MONTHS[at].1)
}

/// Lower case, with `I` and `İ` of Turkish and capitals without accents taken as they come.
fn lower(word: &str) -> String {
    word.chars().flat_map(char::to_lowercase).filter(|&c| c != '\u{307}').collect()
}

const LONGEST: usize = 33;

#[rustfmt::skip]
const MONTHS: &[(&str, u8)] = &[
    ("abendua", 12), ("abenduaren", 12), ("abr", 4), ("abril", 4), ("abuztua", 8), ("abuztuaren", 8), ("ag", 8),
    ("ago", 8), ("agost", 8), ("agosti", 8), ("agosto", 8), ("ags", 8), ("agt", 8), ("agu", 8), ("agustus", 8),
    ("aout", 8), ("août", 8), ("apirila", 4), ("apirilaren", 4), ("apr", 4), ("april", 4), ("aprila", 4),
    ("aprile", 4), ("aprili", 4), ("aprilie", 4), ("aprill", 4), ("apríl", 4), ("apríla", 4), ("aprīlis", 4),
    ("aprīlī", 4), ("ara", 12), ("aralık", 12), ("aug", 8), ("august", 8), ("augusta", 8), ("augusti", 8),
    ("augusts", 8), ("augustus", 8), ("augustā", 8), ("augusztus", 8), ("avg", 8), ("avgust", 8),
    ("avgusta", 8), ("avr", 4), ("avril", 4), ("azaroa", 11), ("azaroaren", 11), ("ağu", 8), ("ağustos", 8),
    ("balandžio", 4), ("birželio", 6), ("bře", 3), ("březen", 3), ("března", 3), ("cze", 6), ("czerwca", 6),
    ("czerwiec", 6), ("dec", 12), ("decembar", 12), ("december", 12), ("decembra", 12), ("decembre", 12),
    ("decembrie", 12), ("decembris", 12), ("decembro", 12), ("decembrī", 12), ("des", 12), ("desemba", 12),
    ("desember", 12), ("desembre", 12), ("detsember", 12), ("dez", 12), ("dezember", 12), ("dezembro", 12),
    ("dhjetor", 12), ("dic", 12), ("dicembre", 12), ("diciembre", 12), ("disember", 12), ("dub", 4),
    ("duben", 4), ("dubna", 4), ("déc", 12), ("décembre", 12), ("ekaina", 6), ("ekainaren", 6), ("eki", 10),
    ("ekim", 10), ("elo", 8), ("elokuu", 8), ("elokuuta", 8), ("ene", 1), ("enero", 1), ("eyl", 9),
    ("eylül", 9), ("feb", 2), ("febbraio", 2), ("feber", 2), ("febr", 2), ("febreiro", 2), ("febrer", 2),
    ("febrero", 2), ("februar", 2), ("februara", 2), ("februari", 2), ("februarie", 2), ("februarja", 2),
    ("february", 2), ("február", 2), ("februára", 2), ("februāris", 2), ("februārī", 2), ("febrúar", 2),
    ("fev", 2), ("fevereiro", 2), ("fevrier", 2), ("fév", 2), ("févr", 2), ("février", 2), ("gegužės", 5),
    ("gen", 1), ("gener", 1), ("gennaio", 1), ("giu", 6), ("giugno", 6), ("gru", 12), ("grudnia", 12),
    ("grudzień", 12), ("gruodžio", 12), ("gusht", 8), ("haz", 6), ("haziran", 6), ("heinä", 7), ("heinäkuu", 7),
    ("heinäkuuta", 7), ("helmi", 2), ("helmikuu", 2), ("helmikuuta", 2), ("huhti", 4), ("huhtikuu", 4),
    ("huhtikuuta", 4), ("ian", 1), ("ianuarie", 1), ("iraila", 9), ("irailaren", 9), ("iul", 7), ("iulie", 7),
    ("iun", 6), ("iunie", 6), ("jaanuar", 1), ("jan", 1), ("janar", 1), ("janeiro", 1), ("januar", 1),
    ("januara", 1), ("januari", 1), ("januarie", 1), ("januarja", 1), ("january", 1), ("január", 1),
    ("januára", 1), ("janv", 1), ("janvier", 1), ("janvāris", 1), ("janvārī", 1), ("janúar", 1), ("joulu", 12),
    ("joulukuu", 12), ("joulukuuta", 12), ("juil", 7), ("juillet", 7), ("juin", 6), ("jul", 7), ("jula", 7),
    ("julai", 7), ("julho", 7), ("juli", 7), ("julie", 7), ("julij", 7), ("julija", 7), ("julio", 7),
    ("juliol", 7), ("july", 7), ("jun", 6), ("juna", 6), ("june", 6), ("junho", 6), ("juni", 6), ("junie", 6),
    ("junij", 6), ("junija", 6), ("junio", 6), ("juny", 6), ("juuli", 7), ("juuni", 6), ("jän", 1),
    ("jänner", 1), ("júl", 7), ("júla", 7), ("július", 7), ("júlí", 7), ("jún", 6), ("júna", 6), ("június", 6),
    ("júní", 6), ("jūlijs", 7), ("jūlijā", 7), ("jūnijs", 6), ("jūnijā", 6), ("kas", 11), ("kasım", 11),
    ("kesä", 6), ("kesäkuu", 6), ("kesäkuuta", 6), ("kol", 8), ("kolovoz", 8), ("kolovoza", 8), ("korrik", 7),
    ("kovo", 3), ("kvě", 5), ("květen", 5), ("května", 5), ("kwi", 4), ("kwiecień", 4), ("kwietnia", 4),
    ("lapkričio", 11), ("led", 1), ("leden", 1), ("ledna", 1), ("liepos", 7), ("lip", 7), ("lipanj", 6),
    ("lipca", 7), ("lipiec", 7), ("lipnja", 6), ("lis", 11), ("listopad", 11), ("listopada", 11),
    ("listopadu", 11), ("loka", 10), ("lokakuu", 10), ("lokakuuta", 10), ("lug", 7), ("luglio", 7), ("lut", 2),
    ("lutego", 2), ("luty", 2), ("maalis", 3), ("maaliskuu", 3), ("maaliskuuta", 3), ("maart", 3), ("mac", 3),
    ("machi", 3), ("maerz", 3), ("mag", 5), ("maggio", 5), ("mai", 5), ("maiatza", 5), ("maiatzaren", 5),
    ("maig", 5), ("maijs", 5), ("maijā", 5), ("maio", 5), ("maj", 5), ("maja", 5), ("mar", 3), ("marca", 3),
    ("march", 3), ("marco", 3), ("marec", 3), ("maret", 3), ("marras", 11), ("marraskuu", 11),
    ("marraskuuta", 11), ("mars", 3), ("mart", 3), ("martie", 3), ("marts", 3), ("martxoa", 3),
    ("martxoaren", 3), ("martā", 3), ("marzec", 3), ("marzo", 3), ("març", 3), ("março", 3), ("may", 5),
    ("mayo", 5), ("mayıs", 5), ("maí", 5), ("mei", 5), ("mrt", 3), ("mrz", 3), ("máj", 5), ("mája", 5),
    ("május", 5), ("márc", 3), ("március", 3), ("mär", 3), ("märts", 3), ("märz", 3), ("nis", 4), ("nisan", 4),
    ("noi", 11), ("noiembrie", 11), ("nov", 11), ("novemba", 11), ("novembar", 11), ("november", 11),
    ("novembra", 11), ("novembre", 11), ("novembris", 11), ("novembro", 11), ("novembrī", 11),
    ("noviembre", 11), ("nëntor", 11), ("nóvember", 11), ("oca", 1), ("ocak", 1), ("oct", 10), ("october", 10),
    ("octobre", 10), ("octombrie", 10), ("octubre", 10), ("ogos", 8), ("okt", 10), ("oktoba", 10),
    ("oktobar", 10), ("oktober", 10), ("oktobra", 10), ("oktobris", 10), ("oktobrī", 10), ("oktoober", 10),
    ("október", 10), ("októbra", 10), ("otsaila", 2), ("otsailaren", 2), ("ott", 10), ("ottobre", 10),
    ("out", 10), ("outubro", 10), ("ožu", 3), ("ožujak", 3), ("ožujka", 3), ("paź", 10), ("październik", 10),
    ("października", 10), ("prill", 4), ("pro", 12), ("prosinac", 12), ("prosinca", 12), ("prosince", 12),
    ("prosinec", 12), ("qershor", 6), ("rugpjūčio", 8), ("rugsėjo", 9), ("ruj", 9), ("rujan", 9), ("rujna", 9),
    ("sausio", 1), ("sep", 9), ("sept", 9), ("septemba", 9), ("septembar", 9), ("september", 9),
    ("septembra", 9), ("septembre", 9), ("septembrie", 9), ("septembris", 9), ("septembrī", 9),
    ("septiembre", 9), ("set", 9), ("setembre", 9), ("setembro", 9), ("setiembre", 9), ("settembre", 9),
    ("shkurt", 2), ("shtator", 9), ("sie", 8), ("sierpień", 8), ("sierpnia", 8), ("sij", 1), ("siječanj", 1),
    ("siječnja", 1), ("spalio", 10), ("srp", 8), ("srpanj", 7), ("srpen", 8), ("srpna", 8), ("srpnja", 7),
    ("stu", 11), ("studeni", 11), ("studenog", 11), ("studenoga", 11), ("sty", 1), ("styczeń", 1),
    ("stycznia", 1), ("svi", 5), ("svibanj", 5), ("svibnja", 5), ("syys", 9), ("syyskuu", 9), ("syyskuuta", 9),
    ("szept", 9), ("szeptember", 9), ("tammi", 1), ("tammikuu", 1), ("tammikuuta", 1), ("tem", 7),
    ("temmuz", 7), ("tetor", 10), ("touko", 5), ("toukokuu", 5), ("toukokuuta", 5), ("tra", 4), ("travanj", 4),
    ("travnja", 4), ("urria", 10), ("urriaren", 10), ("urtarrila", 1), ("urtarrilaren", 1), ("uztaila", 7),
    ("uztailaren", 7), ("vasario", 2), ("veebruar", 2), ("velj", 2), ("veljača", 2), ("veljače", 2), ("wrz", 9),
    ("wrzesień", 9), ("września", 9), ("xaneiro", 1), ("xullo", 7), ("xuño", 6), ("zář", 9), ("září", 9),
    ("ágúst", 8), ("ápr", 4), ("április", 4), ("úno", 2), ("únor", 2), ("února", 2), ("čer", 6), ("červen", 6),
    ("července", 7), ("červenec", 7), ("června", 6), ("čvc", 7), ("čvn", 6), ("říj", 10), ("říjen", 10),
    ("října", 10), ("şub", 2), ("şubat", 2), ("απρ", 4), ("απρίλιος", 4), ("απριλίου", 4), ("αυγ", 8),
    ("αυγούστου", 8), ("αύγουστος", 8), ("δεκ", 12), ("δεκέμβριος", 12), ("δεκεμβρίου", 12), ("ιαν", 1),
    ("ιανουάριος", 1), ("ιανουαρίου", 1), ("ιουλ", 7), ("ιουλίου", 7), ("ιουν", 6), ("ιουνίου", 6),
    ("ιούλιος", 7), ("ιούνιος", 6), ("μάιος", 5), ("μάρτιος", 3), ("μαΐ", 5), ("μαΐου", 5), ("μαΪ", 5),
    ("μαρ", 3), ("μαρτίου", 3), ("μαϊ", 5), ("νοέμβριος", 11), ("νοε", 11), ("νοεμβρίου", 11), ("οκτ", 10),
    ("οκτωβρίου", 10), ("οκτώβριος", 10), ("σεπ", 9), ("σεπτέμβριος", 9), ("σεπτεμβρίου", 9), ("φεβ", 2),
    ("φεβρουάριος", 2), ("φεβρουαρίου", 2), ("авг", 8), ("август", 8), ("августа", 8), ("апр", 4),
    ("апрель", 4), ("апреля", 4), ("април", 4), ("априла", 4), ("бер", 3), ("березень", 3), ("березня", 3),
    ("вер", 9), ("верасня", 9), ("вересень", 9), ("вересня", 9), ("гру", 12), ("грудень", 12), ("грудня", 12),
    ("дек", 12), ("декабрь", 12), ("декабря", 12), ("декември", 12), ("дец", 12), ("децембар", 12),
    ("децембра", 12), ("жніўня", 8), ("жов", 10), ("жовтень", 10), ("жовтня", 10), ("июл", 7), ("июль", 7),
    ("июля", 7), ("июн", 6), ("июнь", 6), ("июня", 6), ("кастрычніка", 10), ("кві", 4), ("квітень", 4),
    ("квітня", 4), ("красавіка", 4), ("лип", 7), ("липень", 7), ("липня", 7), ("лис", 11), ("листопад", 11),
    ("листопада", 11), ("лют", 2), ("лютага", 2), ("лютий", 2), ("лютого", 2), ("ліпеня", 7), ("лістапада", 11),
    ("май", 5), ("мар", 3), ("март", 3), ("марта", 3), ("мая", 5), ("мај", 5), ("маја", 5), ("нов", 11),
    ("новембар", 11), ("новембра", 11), ("ное", 11), ("ноември", 11), ("ноя", 11), ("нояб", 11), ("ноябрь", 11),
    ("ноября", 11), ("окт", 10), ("октобар", 10), ("октобра", 10), ("октомври", 10), ("октябрь", 10),
    ("октября", 10), ("сакавіка", 3), ("сен", 9), ("сент", 9), ("сентябрь", 9), ("сентября", 9), ("сеп", 9),
    ("септембар", 9), ("септембра", 9), ("септември", 9), ("сер", 8), ("серпень", 8), ("серпня", 8),
    ("снежня", 12), ("студзеня", 1), ("січ", 1), ("січень", 1), ("січня", 1), ("тра", 5), ("травень", 5),
    ("травня", 5), ("траўня", 5), ("феб", 2), ("фебруар", 2), ("фебруара", 2), ("фев", 2), ("февр", 2),
    ("февраль", 2), ("февраля", 2), ("февруари", 2), ("чер", 6), ("червень", 6), ("червня", 6), ("чэрвеня", 6),
    ("юли", 7), ("юни", 6), ("янв", 1), ("январь", 1), ("января", 1), ("яну", 1), ("януари", 1), ("јан", 1),
    ("јануар", 1), ("јануара", 1), ("јул", 7), ("јула", 7), ("јун", 6), ("јуна", 6), ("אוגוסט", 8),
    ("אוקטובר", 10), ("אפריל", 4), ("באוגוסט", 8), ("באוקטובר", 10), ("באפריל", 4), ("בדצמבר", 12),
    ("ביולי", 7), ("ביוני", 6), ("בינואר", 1), ("במאי", 5), ("במרץ", 3), ("בנובמבר", 11), ("בספטמבר", 9),
    ("בפברואר", 2), ("דצמבר", 12), ("יולי", 7), ("יוני", 6), ("ינואר", 1), ("מאי", 5), ("מרץ", 3),
    ("נובמבר", 11), ("ספטמבר", 9), ("פברואר", 2), ("آب", 8), ("آذار", 3), ("آوریل", 4), ("أبريل", 4),
    ("أغسطس", 8), ("أفريل", 4), ("أكتوبر", 10), ("أوت", 8), ("أيار", 5), ("أيلول", 9), ("إبريل", 4),
    ("ابريل", 4), ("اغسطس", 8), ("اكتوبر", 10), ("اوت", 8), ("اکتبر", 10), ("تموز", 7), ("جانفي", 1),
    ("جوان", 6), ("جويلية", 7), ("حزيران", 6), ("دسامبر", 12), ("ديسمبر", 12), ("سبتمبر", 9), ("سپتامبر", 9),
    ("شباط", 2), ("فبراير", 2), ("فوریه", 2), ("فيفري", 2), ("مارس", 3), ("ماي", 5), ("مايو", 5), ("مه", 5),
    ("نوامبر", 11), ("نوفمبر", 11), ("نيسان", 4), ("يناير", 1), ("يوليه", 7), ("يوليو", 7), ("يونيه", 6),
    ("يونيو", 6), ("ژانویه", 1), ("ژوئن", 6), ("ژوئیه", 7), ("अक्टूबर", 10), ("अक्तूबर", 10), ("अगस्त", 8),
    ("अप्रैल", 4), ("जनवरी", 1), ("जुलाई", 7), ("जून", 6), ("दिसंबर", 12), ("दिसम्बर", 12), ("नवंबर", 11),
    ("नवम्बर", 11), ("फरवरी", 2), ("फ़रवरी", 2), ("मई", 5), ("मार्च", 3), ("सितंबर", 9), ("सितम्बर", 9),
    ("অক্টোবর", 10), ("আগস্ট", 8), ("এপ্রিল", 4), ("জানুয়ারি", 1), ("জুন", 6), ("জুলাই", 7), ("ডিসেম্বর", 12),
    ("নভেম্বর", 11), ("ফেব্রুয়ারি", 2), ("মার্চ", 3), ("মে", 5), ("সেপ্টেম্বর", 9), ("กรกฎาคม", 7),
    ("กันยายน", 9), ("กุมภาพันธ์", 2), ("ตุลาคม", 10), ("ธันวาคม", 12), ("พฤศจิกายน", 11), ("พฤษภาคม", 5),
    ("มกราคม", 1), ("มิถุนายน", 6), ("มีนาคม", 3), ("สิงหาคม", 8), ("เมษายน", 4),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_and_short_enough() {
        assert!(MONTHS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(MONTHS.iter().all(|(name, month)| name.len() <= LONGEST && (1..=12).contains(month)));
    }

    #[test]
    fn names_of_many_languages_are_known_in_any_case() {
        for (name, number) in [
            ("MAY", 5),
            ("Sept", 9),
            ("März", 3),
            ("AOÛT", 8),
            ("października", 10),
            ("Декабря", 12),
            ("Ağustos", 8),
            ("HAZİRAN", 6),
            ("ตุลาคม", 10),
        ] {
            assert_eq!(month(name), Some(number), "{name}");
        }
        assert_eq!(month("Monday"), None);
        assert_eq!(month(""), None);
    }
}
