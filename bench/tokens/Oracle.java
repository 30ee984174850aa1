// Asks Stanford's PTBTokenizer (CoreNLP 3.9.2), run as it is published, how it splits texts.
//
// In: one text a line, as Base64 of its UTF-8. Out: one line a text; its tokens separated by tabs, each as
// `start,end,Base64 of the token`, in UTF-16 code units.

import edu.stanford.nlp.ling.CoreLabel;
import edu.stanford.nlp.process.CoreLabelTokenFactory;
import edu.stanford.nlp.process.PTBTokenizer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

public class Oracle {
    /** The options of the article format; tokenizeNLs is the one that its document leaves open. */
    private static final String OPTIONS = "tokenizeNLs=false,americanize=false,normalizeCurrency=false,"
            + "normalizeParentheses=false,normalizeOtherBrackets=false,unicodeQuotes=false,ptb3Ellipsis=true,"
            + "escapeForwardSlashAsterisk=false,untokenizable=noneKeep";

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        PrintStream out = new PrintStream(new java.io.BufferedOutputStream(System.out, 1 << 16), false, "US-ASCII");
        for (String line; (line = in.readLine()) != null; ) {
            String text = new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_8);
            out.println(tokens(text));
            if (!in.ready()) {
                out.flush();
            }
        }
        out.flush();
    }

    private static String tokens(String text) {
        StringBuilder answer = new StringBuilder();
        try {
            PTBTokenizer<CoreLabel> tokenizer =
                    new PTBTokenizer<>(new StringReader(text), new CoreLabelTokenFactory(), OPTIONS);
            while (tokenizer.hasNext()) {
                CoreLabel token = tokenizer.next();
                byte[] word = token.word().getBytes(StandardCharsets.UTF_8);
                answer.append(answer.length() == 0 ? "" : "\t").append(token.beginPosition()).append(',')
                        .append(token.endPosition()).append(',').append(Base64.getEncoder().encodeToString(word));
            }
        } catch (RuntimeException | Error error) {
            return "!" + error;
        }
        return answer.toString();
    }
}
