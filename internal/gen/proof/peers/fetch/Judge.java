import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** Reads one path a line and answers in order: an empty line, or why java.util.Properties refuses the file. */
public class Judge {
  public static void main(String[] args) throws IOException {
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String path = in.readLine(); path != null; path = in.readLine()) {
      try (Reader r = Files.newBufferedReader(Path.of(path), StandardCharsets.UTF_8)) {
        new Properties().load(r);
        System.out.println();
      } catch (IllegalArgumentException | IOException e) {
        System.out.println(String.valueOf(e).replaceAll("\\s+", " "));
      }
    }
  }
}
