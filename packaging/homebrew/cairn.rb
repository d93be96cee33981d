# Builds cairn from a release's sources. In a tap it is Formula/cairn.rb; put the owner, the version and the sum of the
# tarball in (curl -L URL | shasum -a 256). Releases also bring a cask with the binary: .goreleaser.yaml.
class Cairn < Formula
  desc "Keeps an agent's context, a project's plan and what a team has learnt"
  homepage "https://github.com/OWNER/cairn"
  url "https://github.com/OWNER/cairn/archive/refs/tags/v0.0.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"
  head "https://github.com/OWNER/cairn.git", branch: "main"

  depends_on "go" => :build

  def install
    ENV["CGO_ENABLED"] = "0"
    system "go", "build", *std_go_args(ldflags: "-s -w -X cairn/internal/version.Stamped=#{version}")
    generate_completions_from_executable(bin/"cairn", "completion")
    system "go", "run", "./scripts/man", buildpath/"pages", version.to_s, time.strftime("%Y-%m-%d")
    man1.install Dir["pages/man/*.1"]
    man7.install Dir["pages/man/*.7"]
  end

  service do
    run [opt_bin/"cairn", "serve"]
    keep_alive true
    log_path var/"log/cairn.log"
    error_log_path var/"log/cairn.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/cairn version")
    (testpath/"go.mod").write("module example\n")
    assert_match "1 passed", pipe_output("#{bin}/cairn eval push - --suite brew && #{bin}/cairn eval show",
                                         '<testsuite name="brew"><testcase name="works"/></testsuite>')
  end
end
